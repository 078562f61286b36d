import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite(
  "Regression: file descriptors that no argument names used up the daemon's descriptors")
struct SurplusDescriptors {
  /// Starts clients that send calls with 16 descriptors each.
  private func attackers(_ count: Int, sending calls: Int, _ kind: String, on daemon: Daemon) throws
    -> [ChildProcess]
  {
    try (0..<count).map { _ in
      try ChildProcess(
        "python3",
        [Shim.source("surplus.py"), daemon.bus.home.path + "/run/bus", "\(calls)", kind])
    }
  }

  /// Returns the number of open descriptors of a process.
  private func openDescriptors(of process: pid_t) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
  }

  @Test(
    "Surplus descriptors of unidentified clients are closed at once, and their calls are refused",
    arguments: ["none", "one", "unknown"], [256, 4_096])
  func unidentified(kind: String, limit: Int) throws {
    let daemon = try Daemon([], by: ["prlimit", "--nofile=\(limit):\(limit)"])
    daemon.signal(SIGSTOP)
    let attackers = try attackers(2, sending: 250, kind, on: daemon)
    for attacker in attackers { #expect(attacker.nextLine() == "sent", "\(kind)") }
    daemon.signal(SIGCONT)
    for attacker in attackers {
      let errors = (0..<250).map { _ in attacker.nextLine() }
      #expect(Set(errors) == ["InvalidArgs"])
    }
    #expect(daemon.state == "it runs")
    #expect(try openDescriptors(of: daemon.id) < 60)
    #expect(try daemon.client().insert(["x"]).count == 1)
  }

  @Test("Surplus descriptors of identified clients are closed at once, and their calls are refused")
  func identified() throws {
    let daemon = try Daemon([], by: ["prlimit", "--nofile=256:256"])
    let attacker = try #require(try attackers(1, sending: 500, "one", on: daemon).first)
    #expect(attacker.nextLine() == "sent")
    let errors = (0..<500).map { _ in attacker.nextLine() }
    #expect(Set(errors) == ["InvalidArgs"])
    #expect(try openDescriptors(of: daemon.id) < 60)
    #expect(try daemon.client().insert(["x"]).count == 1)
  }

  @Test("Descriptors of arguments leave a quarter of the process's descriptors free")
  func named() throws {
    let daemon = try Daemon([], by: ["prlimit", "--nofile=128:128"])
    let client = try daemon.client()
    let file = try TestFile.sealed([1, 2, 3])
    daemon.signal(SIGSTOP)
    let outstanding = client.send(
      (0..<250).map { _ in call(BoardInterface.insertFile, 0, -1, "a/b", file) })
    daemon.signal(SIGCONT)
    let errors = outstanding.errors()
    #expect(Set(errors) == ["", "LimitsExceeded"])
    #expect(errors.count { $0 == "" } > 30)
    #expect(daemon.state == "it runs")
    let rest = client.send(
      (0..<250).map { _ in call(BoardInterface.insertFile, 0, -1, "a/b", file) })
    #expect(Set(rest.errors()).isSubset(of: ["", "LimitsExceeded"]))
    #expect(try client.get(BoardInterface.count) > 30)
  }
}

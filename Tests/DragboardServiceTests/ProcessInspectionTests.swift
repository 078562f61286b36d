import DBus
import DragModel
import Foundation
import TestSupport
import Testing

@testable import DragboardService

@Suite("What is seen of a process")
struct ProcessInspectionTests {
  /// A folder that stands for `/proc`.
  private final class System {
    let url = FileManager.default.temporaryDirectory.appending(path: "proc-\(UUID().uuidString)")
    var path: String { url.path }

    init() throws {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// A process that is in no sandbox.
    func add(_ number: Int32) throws {
      try FileManager.default.createDirectory(
        at: url.appending(path: "\(number)/root"), withIntermediateDirectories: true)
      try Data("0::/a.scope\n".utf8).write(to: url.appending(path: "\(number)/cgroup"))
    }

    func info(of number: Int32) -> URL { url.appending(path: "\(number)/root/.flatpak-info") }
  }

  private func credentials(_ number: Int32, _ process: FileDescriptor? = nil) -> Credentials {
    var values = ["ProcessID": Variant(.uint32(UInt32(number)))]
    if let process { values["ProcessFD"] = Variant(.fileDescriptor(process)) }
    return Credentials(values)
  }

  /// pidfd_open(2), which the C library has from 2.36 on.
  private func handle(of number: Int32) throws -> FileDescriptor {
    typealias Open = @convention(c) (pid_t, UInt32) -> Int32
    let open = unsafeBitCast(try #require(dlsym(nil, "pidfd_open")), to: Open.self)
    let handle = FileDescriptor(adopting: open(number, 0))
    try #require(handle.number >= 0)
    return handle
  }

  // MARK: Credentials

  @Test("Of the bus's answer what has another type than it should is not there")
  func answer() {
    let nothing = Credentials([
      "ProcessID": Variant(.string("1")), "ProcessFD": Variant(.uint32(0)),
      "LinuxSecurityLabel": Variant(.string("unconfined")), "UnixUserID": Variant(.uint32(0)),
    ])
    #expect(nothing.processID == nil && nothing.process == nil && nothing.label == nil)
    #expect(!nothing.isInContainer)
    #expect(Credentials(["ProcessID": Variant(.uint32(0))]).processID == nil)
    #expect(Credentials(["ProcessID": Variant(.uint32(.max))]).processID == nil)
    let label = Array("snap.a.b (enforce)\0".utf8).map { Value.byte($0) }
    let snap = Credentials([
      "LinuxSecurityLabel": Variant(.array(of: UInt8.signature, label)),
      "org.freedesktop.DBus.Containers1.Instance": Variant(.objectPath("/c/1")),
    ])
    #expect(snap.label == SecurityLabel("snap.a.b (enforce)".utf8))
    #expect(snap.isInContainer)
  }

  // MARK: Processes

  @Test("This process is in no sandbox, by its number and by a pidfd")
  func itself() throws {
    let number = getpid()
    #expect(ProcessInspection.evidence(of: credentials(number)).confinement == .unsandboxed)
    let byHandle = credentials(1, try handle(of: number))
    #expect(ProcessInspection.evidence(of: byHandle).confinement == .unsandboxed)
  }

  @Test("Nothing is known of a process that is gone, or that the bus does not name")
  func gone() throws {
    let process = try ChildProcess("sleep", ["1000"])
    let handle = try handle(of: process.id)
    process.kill(SIGKILL)
    process.waitForExit()
    for credentials in [credentials(process.id), credentials(process.id, handle), Credentials([:])]
    {
      #expect(ProcessInspection.evidence(of: credentials).confinement == .doubtful)
    }
  }

  @Test("By a pidfd, whoever has got the number of a process that is gone is not taken for it")
  func reusedNumber() throws {
    let process = try ChildProcess("sleep", ["1000"])
    let handle = try handle(of: process.id)
    process.kill(SIGKILL)
    process.waitForExit()
    // This process stands for the one that has got the number.
    #expect(
      ProcessInspection.evidence(of: credentials(getpid(), handle)).confinement == .doubtful)
  }

  @Test(
    "A process that ends while it is looked at is not known, though its number may be another's")
  func race() throws {
    let process = try ChildProcess("sleep", ["1000"])
    let inspection = try #require(ProcessInspection(credentials(process.id)))
    process.kill(SIGKILL)
    process.waitForExit()
    #expect(inspection.flatpakInfo == .unreadable)
    #expect(inspection.controlGroups == .unreadable)
  }

  // MARK: Files

  @Test(
    "A .flatpak-info is read where it is a regular file, and nothing else is taken for its absence")
  func files() throws {
    let system = try System()
    try system.add(7)
    func seen() -> ConfinementEvidence.File {
      ProcessInspection.evidence(of: credentials(7), in: system.path).flatpakInfo
    }
    let (manager, info) = (FileManager.default, system.info(of: 7))
    #expect(seen() == .absent)
    try Data("[Application]\nname=org.x.App\n".utf8).write(to: info)
    #expect(seen() == .content("[Application]\nname=org.x.App\n"))
    try Data(count: 2 << 20).write(to: info)
    #expect(seen() == .unreadable)
    try manager.removeItem(at: info)
    try manager.createSymbolicLink(atPath: info.path, withDestinationPath: "nowhere")
    #expect(seen() == .unreadable)
    try manager.removeItem(at: info)
    try manager.createDirectory(at: info, withIntermediateDirectories: false)
    #expect(seen() == .unreadable)
    try manager.removeItem(at: info)
    // Nobody writes to it: it would be waited for.
    #expect(mkfifo(info.path, 0o600) == 0)
    #expect(seen() == .unreadable)
    try manager.removeItem(at: system.url.appending(path: "7/root"))
    #expect(seen() == .unreadable)
  }

  @Test("The mount that is a process's root is the last one at /")
  func rootMount() {
    let text = """
      22 1 8:1 / / rw - ext4 /dev/sda1 rw
      23 22 0:5 / /dev rw - devtmpfs udev rw
      31 22 0:9 / / rw shared:1 - tmpfs tmpfs rw
      """
    #expect(ProcessInspection.rootMount(in: text) == "31")
    #expect(ProcessInspection.rootMount(in: "") == nil)
    #expect(ProcessInspection.rootMount(in: "22 1 8:1 / /mnt rw\nshort\n") == nil)
  }
}

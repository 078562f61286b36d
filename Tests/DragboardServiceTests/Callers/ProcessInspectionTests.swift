import DBus
import DragModel
import Files
import Foundation
import TestSupport
import Testing

@testable import Callers

@Suite("The inspection of a process")
struct ProcessInspectionTests {
  /// A directory that replaces `/proc`.
  private final class System {
    let url = FileManager.default.temporaryDirectory.appending(path: "proc-\(UUID().uuidString)")
    var path: String { url.path }

    init() throws {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Adds a process that is in no sandbox and that started at tick 1000.
    func add(_ number: Int32, mounts: String = System.mounts) throws {
      let folder = url.appending(path: "\(number)")
      try FileManager.default.createDirectory(
        at: folder.appending(path: "root"), withIntermediateDirectories: true)
      // The program's name pretends that the process started at tick 1.
      let stat =
        "\(number) (a) S \(String(repeating: "1 ", count: 19))) S"
        + String(repeating: " 0", count: 18) + " 1000 0 0\n"
      for (name, text) in [("cgroup", "0::/a.scope\n"), ("stat", stat), ("mountinfo", mounts)] {
        try Data(text.utf8).write(to: folder.appending(path: name))
      }
    }

    /// Adds the mounts of the inspecting process.
    func addOwn(mounts: String) throws {
      let folder = url.appending(path: "self")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(mounts.utf8).write(to: folder.appending(path: "mountinfo"))
    }

    func info(of number: Int32) -> URL { url.appending(path: "\(number)/root/.flatpak-info") }

    static let mounts = "22 1 8:1 / / rw shared:1 master:2 - ext4 /dev/sda1 rw\n"
  }

  private func confinement(of process: CallerProcess?) -> Confinement {
    ProcessInspection.evidence(of: Credentials([:]), process).confinement
  }

  /// Returns the process of a new connection of which only the process id is known.
  private func process(_ number: Int32) -> CallerProcess { .number(number, latestStart: .now()) }

  /// Returns a pidfd; the C library has pidfd_open(2) only from version 2.36 on.
  private func handle(of number: Int32) throws -> FileDescriptor {
    typealias Open = @convention(c) (pid_t, UInt32) -> Int32
    let open = unsafeBitCast(try #require(dlsym(nil, "pidfd_open")), to: Open.self)
    let handle = FileDescriptor(adopting: open(number, 0))
    try #require(handle.number >= 0)
    return handle
  }

  // MARK: Credentials

  @Test("A value of an unexpected type in the answer of the bus is ignored")
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

  @Test("The process of the test is in no sandbox, whether its id or a pidfd identifies it")
  func itself() throws {
    #expect(confinement(of: process(getpid())) == .unsandboxed)
    #expect(confinement(of: .handle(try handle(of: getpid()))) == .unsandboxed)
  }

  @Test("A process that has exited, or that the bus does not name, has no properties")
  func gone() throws {
    let process = try ChildProcess("sleep", ["1000"])
    let handle = try handle(of: process.id)
    process.kill(SIGKILL)
    process.waitForExit()
    for process in [self.process(process.id), .handle(handle), self.process(0), nil] {
      #expect(confinement(of: process) == .unverified)
    }
  }

  @Test("A process that started after its connection appeared did not make the connection")
  func laterStart() throws {
    let system = try System()
    try system.add(7)
    func confinement(_ latestStart: UInt64) -> Confinement {
      let process = CallerProcess.number(7, latestStart: BootTime(ticks: latestStart))
      return ProcessInspection.evidence(of: Credentials([:]), process, in: system.path).confinement
    }
    #expect(confinement(1_001) == .unsandboxed)
    #expect(confinement(1_000) == .unsandboxed)
    #expect(confinement(999) == .unverified)
    for stat in ["", "7 (a) S 1 2 3", "7 (a S 1", "7 (a) S" + String(repeating: " x", count: 30)] {
      try Data(stat.utf8).write(to: system.url.appending(path: "7/stat"))
      #expect(confinement(.max) == .unverified, "\(stat)")
    }
  }

  @Test("The clock is the clock of the start times of processes")
  func clock() throws {
    let before = BootTime.now()
    let process = try ChildProcess("sleep", ["1000"])
    #expect(ProcessInspection(self.process(process.id)) != nil)
    if before.ticks > 0 {
      let early = BootTime(ticks: before.ticks - 1)
      #expect(ProcessInspection(.number(process.id, latestStart: early)) == nil)
    }
  }

  @Test(
    "A process that ends during the inspection is unidentified, even if its id is reused")
  func race() throws {
    let process = try ChildProcess("sleep", ["1000"])
    let inspection = try #require(ProcessInspection(self.process(process.id)))
    process.kill(SIGKILL)
    process.waitForExit()
    #expect(inspection.flatpakInfo == .unreadable)
    #expect(inspection.controlGroups == .unreadable)
  }

  // MARK: Files

  @Test(
    "A .flatpak-info that is not a regular file does not count as missing")
  func files() throws {
    let system = try System()
    try system.add(7)
    func seen() -> ConfinementEvidence.File {
      ProcessInspection.evidence(of: Credentials([:]), process(7), in: system.path).flatpakInfo
    }
    let (manager, info) = (FileManager.default, system.info(of: 7))
    #expect(seen() == .absent)
    try Data("[Application]\nname=org.x.App\n".utf8).write(to: info)
    #expect(seen() == .content(Array("[Application]\nname=org.x.App\n".utf8)))
    try Data(count: 2 << 20).write(to: info)
    #expect(seen() == .unreadable)
    try manager.removeItem(at: info)
    try manager.createSymbolicLink(atPath: info.path, withDestinationPath: "nowhere")
    #expect(seen() == .unreadable)
    try manager.removeItem(at: info)
    try manager.createDirectory(at: info, withIntermediateDirectories: false)
    #expect(seen() == .unreadable)
    try manager.removeItem(at: info)
    // Nobody writes to the FIFO, so opening it for reading would block.
    #expect(mkfifo(info.path, 0o600) == 0)
    #expect(seen() == .unreadable)
    try manager.removeItem(at: system.url.appending(path: "7/root"))
    #expect(seen() == .unreadable)
  }

  // MARK: Mounts

  private static let fuse = "22 1 0:50 / / rw - fuse.sshfs host: rw\n"

  @Test(
    "A root on a network or in user space is not inspected",
    arguments: [
      fuse, System.mounts + fuse, fuse + System.mounts,
      System.mounts + "23 22 0:51 / /.flatpak-info rw - fuse x rw\n",
      "22 1 0:50 / / rw shared:3 - nfs4 server:/ rw\n", "22 1 0:50 / / rw - autofs x rw\n",
      "22 1 8:1 / /mnt rw - ext4 /dev/sda1 rw\n", "22 1 8:1 / / rw ext4 /dev/sda1 rw\n", "",
    ])
  func remoteRoot(mounts: String) throws {
    let system = try System()
    try system.add(7, mounts: mounts)
    func seen() -> ConfinementEvidence.File {
      ProcessInspection.evidence(of: Credentials([:]), process(7), in: system.path).flatpakInfo
    }
    #expect(seen() == .unreadable)
    try system.addOwn(mounts: System.mounts)
    #expect(seen() == .unreadable)
  }

  @Test(
    "A root is inspected if the kernel serves it, or if it is on the daemon's file system",
    arguments: [
      (System.mounts, ""), ("22 1 0:40 / / rw - tmpfs tmpfs rw\n", System.mounts),
      ("22 1 0:40 / / rw - overlay overlay rw\n23 22 0:50 / /mnt rw - fuse x rw\n", ""),
      ("99 1 0:50 /chroot / rw - fuse.sshfs host: rw\n", fuse),
    ])
  func localRoot(mounts: String, own: String) throws {
    let system = try System()
    try system.add(7, mounts: mounts)
    try system.addOwn(mounts: own)
    let evidence = ProcessInspection.evidence(of: Credentials([:]), process(7), in: system.path)
    #expect(evidence.flatpakInfo == .absent)
  }

  @Test(
    "A mount is local if the kernel serves it without another process",
    arguments: [(22, true), (23, false), (2, false), (24, false), (220, false), (0, false)])
  func localMount(number: UInt64, isLocal: Bool) {
    let text = """
      22 1 0:31 /root / rw shared:1 - btrfs /dev/sda1 rw
      23 22 0:50 / /mnt/a\\040btrfs rw - fuse.sshfs btrfs: rw
      24 22 0:51 /
      """
    #expect(MountTable.isLocal(mount: number, in: Array(text.utf8)) == isLocal)
  }

  @Test("The mount of a process's root is the last one at /")
  func sameRoot() {
    func table(_ text: String) -> MountTable { MountTable(Array(text.utf8)) }
    let stacked = table(
      """
      22 1 8:1 / / rw - ext4 /dev/sda1 rw
      23 22 0:5 / /dev rw - devtmpfs udev rw
      31 22 0:9 / / rw shared:1 - tmpfs tmpfs rw
      """)
    #expect(stacked.hasSameRoot(as: table("31 22 0:9 / / rw shared:1 - tmpfs tmpfs rw\n")))
    #expect(!stacked.hasSameRoot(as: table(System.mounts)))
    for text in ["", "22 1 8:1 / /mnt rw - ext4 x rw\nshort\n"] {
      #expect(!table(text).hasSameRoot(as: table(text)))
    }
  }
}

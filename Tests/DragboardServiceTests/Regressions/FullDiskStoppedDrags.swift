import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("Regression: on a full disk no drag began and no view opened")
struct FullDiskStoppedDrags {
  /// A daemon on a disk that the test can fill.
  private struct Scene {
    private let refuser = try? Refuser()
    private let environment: [String: String]
    let daemon: Daemon

    init() throws {
      let bus = try PrivateBus()
      environment = try #require(refuser).environment(bus.home.path + "/data/dragboard")
      daemon = try Daemon([], environment: environment, on: bus)
      try daemon.client().insert(["kept"])
    }

    func fillDisk() { refuser?.refuse(.writes, .ENOSPC) }

    func makeRoom() { refuser?.relent() }

    func restart() throws {
      daemon.kill()
      try daemon.start(environment: environment)
    }
  }

  /// Makes the calls that need no disk; returns the paths of the new sessions and views.
  private func useWithoutDisk(_ daemon: Daemon) throws -> [ObjectPath] {
    let (source, destination) = (try daemon.client(), try daemon.client())
    expect(.ioError) { try source.insert(["refused"]) }
    #expect(try source.texts() == ["kept"])
    let row = try source.rows()[0].id

    let dragged = try source.drag(["x"])
    try source.register("image/png", String(repeating: "y", count: 10_000), of: dragged)
    #expect(try destination.propose(dragged).operation == "copy")
    _ = try destination.call(DragSessionInterface.accept, at: dragged, "org.target", "copy")
    #expect(try destination.call(DragSessionInterface.loadText, at: dragged, 0) == "x")
    let bytes = try destination.call(DragSessionInterface.loadData, at: dragged, 0, "image/png")
    #expect(bytes.count == 10_000)
    try destination.call(DragSessionInterface.finish, at: dragged)
    #expect(try source.standing(of: dragged) == "ended copy")

    let ofRows = try source.drag(rows: [row])
    #expect(try source.call(DragSessionInterface.canLoad, at: ofRows, "text/plain;charset=utf-8"))
    expect(.ioError) { _ = try destination.drop(ofRows) }
    let cancelled = try source.drag(rows: [row])
    try source.cancel(cancelled)
    #expect(try source.standing(of: cancelled) == "ended cancel")

    let view = try source.openView()
    try source.call(ViewInterface.select, at: view, [row])
    #expect(try source.get(ViewInterface.selection, at: view) == [row])
    try source.call(ViewInterface.close, at: view)
    return [dragged, ofRows, cancelled, view]
  }

  @Test("Drags between clients and views work, before a restart and after it, under new paths")
  func drags() throws {
    let scene = try Scene()
    scene.fillDisk()
    var paths = try useWithoutDisk(scene.daemon)
    for _ in 0..<2 {
      try scene.restart()
      paths += try useWithoutDisk(scene.daemon)
    }
    #expect(Set(paths).count == paths.count)
    scene.makeRoom()
    #expect(try scene.daemon.client().insert(["stored"]).count == 1)
  }

  @Test(
    "Drags and views work on a file system without a free byte",
    .enabled(if: SmallDisk.isPossible, "this process may not mount a file system"))
  func fileSystem() throws {
    let disk = try SmallDisk()
    let daemon = try Daemon(["--data", disk.path + "/data"])
    try daemon.client().insert(["kept"])
    var paths: [ObjectPath] = []
    for _ in 0..<2 {
      daemon.kill()
      disk.fill()
      try daemon.start()
      let client = try daemon.client()
      #expect(try client.texts() == ["kept"])
      paths += [try client.drag(["x"]), try client.openView()]
    }
    #expect(Set(paths).count == paths.count)
  }

  @Test("When the disk has room again, numbers are small again")
  func smallNumbers() throws {
    let scene = try Scene()
    scene.fillDisk()
    try scene.restart()
    let client = try scene.daemon.client()
    let number = { (path: ObjectPath) in UInt64(path.element) ?? 0 }
    #expect(try number(client.drag(["x"])) > 1 << 32)
    scene.makeRoom()
    var latest = UInt64.max
    for _ in 0..<200 where latest > 1 << 32 {
      let session = try client.drag(["x"])
      latest = number(session)
      try client.cancel(session)
    }
    #expect(latest < 10_000)
  }

  @Test("A failed edit does not fail a drag that begins at the same time")
  func sameBatch() throws {
    let scene = try Scene()
    let (editor, source) = (try scene.daemon.client(), try scene.daemon.client())
    _ = try (editor.texts(), source.texts())
    scene.fillDisk()
    let edit = call(BoardInterface.insertText, 0, 0, "refused")
    // The first time, the daemon must reserve numbers on the disk; later it still has some.
    for _ in 0..<2 {
      scene.daemon.signal(SIGSTOP)
      let edits = editor.send([edit, edit])
      let drags = source.send([
        call(ManagerInterface.beginTextDrag, at: Dragboard.root, "org.source", ["x"])
      ])
      let more = editor.send([edit])
      scene.daemon.signal(SIGCONT)
      #expect(edits.errors() + more.errors() == ["IOError", "IOError", "IOError"])
      #expect(drags.errors() == [""])
    }
  }
}

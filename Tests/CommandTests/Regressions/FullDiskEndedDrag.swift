import Foundation
import TestSupport
import Testing

@Suite(
  "Regression: drop --into a full disk ended the drag",
  .enabled(if: SmallDisk.isPossible, "a file system cannot be mounted"))
struct FullDiskEndedDrag {
  @Test("The drag stays active if the disk has no room, and can be dropped elsewhere")
  func full() throws {
    let stage = try CommandStage()
    let disk = try SmallDisk()
    disk.fill()
    try stage.output("drag", "text", "--as", "org.example", "--detach")
    try stage.expect(74, "drop", "--into", disk.path, naming: "still active")
    #expect(try stage.lines("sessions").count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["filler"])
    #expect(try stage.output("drop", "--stdout") == "text")
  }

  @Test("All items together must have room, in the types that are loaded")
  func sizes() throws {
    let stage = try CommandStage()
    let disk = try SmallDisk()
    #expect(
      try stage.shell(
        """
        for f in a b c; do head -c 900000 /dev/zero > $f.png; done
        dragboard drag --file a.png b.png c.png --as org.example --detach
        """
      ).status == .exited(0))
    try stage.expect(74, "drop", "--into", disk.path, naming: "still active")
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == [])
    #expect(try stage.lines("drop", "--into", stage.folder.path).count == 3)
    // The large type is not loaded, so it needs no room.
    #expect(
      try stage.shell(
        "head -c 3000000 /dev/zero > d && dragboard drag small --also image/png=@d --as org.example --detach"
      ).status == .exited(0))
    #expect(try stage.lines("drop", "--into", disk.path, "--type", "text/plain").count == 1)
  }

  @Test("A drag of unknown size begins again, and no incomplete file stays")
  func unknownSize() throws {
    let stage = try CommandStage()
    let disk = try SmallDisk()
    let drag = try stage.start("drag", "--exec", "head -c 3000000 /dev/zero", "--name", "x.iso")
    #expect(drag.nextLine() == "1")
    try stage.expect(
      74, "drop", "--into", disk.path,
      naming: "\(disk.path): No space left on device; the drag is active again, as drag 2")
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == [])
    #expect(drag.nextLine() == "2")
    #expect(try stage.lines("drop", "2", "--into", stage.folder.path).count == 1)
    #expect(drag.nextLine() == "copied 1 item")
    #expect(drag.waitForExit() == .exited(0))
    #expect(try stage.shell("wc -c < x.iso").output == "3000000\n")
  }

  @Test("A limit for the size of a file does not limit the size of all files together")
  func fileSizeLimit() throws {
    let stage = try CommandStage()
    let result = try stage.shell(
      """
      for f in a b; do head -c 80000 /dev/zero > $f.png; done; mkdir d
      dragboard drag --file a.png b.png --as org.example --detach
      ulimit -f 100; dragboard drop --into d
      """)
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(result.output == "1\nd/a.png\nd/b.png\n")
  }
}

import Foundation
import TestSupport
import Testing

@Suite("Regression: on a full disk, get --output emptied an existing file")
struct FullDiskEmptiedFile {
  @Test(
    "The existing file stays, and no other file is left",
    .enabled(if: SmallDisk.isPossible, "a file system cannot be mounted"))
  func fullDisk() throws {
    let stage = try CommandStage()
    let disk = try SmallDisk()
    try "old".write(toFile: disk.path + "/file", atomically: false, encoding: .utf8)
    #expect(
      try stage.shell("head -c 300000 /dev/zero | dragboard add --stdin --type image/png").status
        == .exited(0))
    disk.fill()
    for name in ["file", "other"] {
      try stage.expect(74, "get", "0", "--output", disk.path + "/" + name)
    }
    #expect(try String(contentsOfFile: disk.path + "/file", encoding: .utf8) == "old")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: disk.path).sorted() == ["file", "filler"])
    disk.makeRoom()
    try stage.output("get", "0", "--output", disk.path + "/file")
    #expect(try Data(contentsOf: URL(fileURLWithPath: disk.path + "/file")).count == 300_000)
  }

  @Test("An error of the row leaves the file as it was")
  func missingType() throws {
    let stage = try CommandStage()
    try stage.output("add", "text")
    #expect(try stage.shell("echo old > file").status == .exited(0))
    let result = try stage.shell("dragboard get 0 --type image/png --output file; cat file")
    #expect(result.output == "old\n")
  }

  @Test("A new file has the umask's mode, an existing file keeps its mode, and a link stays a link")
  func modes() throws {
    let stage = try CommandStage()
    try stage.output("add", "text")
    let result = try stage.shell(
      """
      umask 027; echo old > old; chmod 604 old; ln -s old link; ln -s none dangling; mkfifo pipe
      for f in new old link dangling /dev/null; do dragboard get 0 --output $f || exit; done
      cat pipe > piped & dragboard get 0 --output pipe; wait
      stat -c '%a %F' new old link none; cat new old none piped; ls -A
      """)
    #expect(
      result.output == """
        640 regular file
        604 regular file
        777 symbolic link
        640 regular file
        texttexttexttextdangling
        link
        new
        none
        old
        pipe
        piped

        """, "\(result.errors)")
  }

  @Test("A writable file in a directory that is not writable can still be written")
  func readOnlyDirectory() throws {
    let stage = try CommandStage()
    try stage.output("add", "text")
    let result = try stage.shell(
      "mkdir d && touch d/f && mount --bind d/f d/f 2> /dev/null; dragboard get 0 --output d/f; cat d/f; umount d/f 2> /dev/null; true"
    )
    #expect(result.output == "text", "\(result.errors)")
  }
}

import Foundation
import TestSupport
import Testing

@Suite("The permissions of files")
struct FileModeTests {
  /// Runs a script that prints the permissions of files, in a folder with the files `tool.sh` (755),
  /// `secret.txt` (600) and `notes.txt` (664).
  private func modes(_ script: String) throws -> [String] {
    let stage = try CommandStage()
    let result = try stage.shell(
      """
      umask 0022; mkdir out; echo a > tool.sh; echo b > secret.txt; echo c > notes.txt
      chmod 755 tool.sh; chmod 600 secret.txt; chmod 664 notes.txt
      \(script)
      """)
    #expect(result.status == .exited(0), "\(result.errors)")
    return result.output.split(separator: "\n").map(String.init)
  }

  private static let files = "tool.sh secret.txt notes.txt"

  @Test(
    "They are kept by rows, by drags, by rows that are dragged, and by archives",
    arguments: [
      "dragboard add --file \(files) > ids; dragboard get --into out > paths",
      """
      { dragboard drag --file \(files) > id & }
      until dragboard drop --into out > paths 2> /dev/null; do :; done; wait
      """,
      """
      dragboard drag --file \(files) --as org.example --detach > id; dragboard drop > ids
      dragboard drag --row 0 1 2 --as org.example --detach > id
      dragboard drop --into out --type '*/*' > paths
      """,
      """
      dragboard add --file \(files) > ids; dragboard export | dragboard import - --name copy > text
      dragboard get --board copy --into out > paths
      """,
      """
      dragboard add --file \(files) > ids; dragboard edit 0 --text other; dragboard undo > text
      dragboard remove 0 1 2; dragboard undo > text; dragboard get --into out > paths
      """,
    ])
  func kept(script: String) throws {
    let modes = try modes("\(script)\nstat -c '%a %n' out/*")
    #expect(modes == ["644 out/notes.txt", "600 out/secret.txt", "755 out/tool.sh"])
  }

  @Test("The umask of the destination applies, and the other bits of a mode are not copied")
  func restricted() throws {
    let modes = try modes(
      """
      chmod 4755 tool.sh; chmod 2664 notes.txt
      dragboard add --file \(Self.files) > ids; umask 0077; dragboard get --into out > paths
      stat -c '%a %n' out/*; dragboard show 0 | grep mode; dragboard show 0 --json | jq -r .mode
      """)
    #expect(
      modes == [
        "600 out/notes.txt", "600 out/secret.txt", "700 out/tool.sh", "mode    rwxr-xr-x", "755",
      ])
  }

  @Test("A file that file managers start by its name is not executable")
  func desktopFile() throws {
    let modes = try modes(
      """
      cp tool.sh app.Desktop; chmod 755 app.Desktop
      dragboard add --file app.Desktop > ids; dragboard get --into out > paths
      dragboard get --into out > paths; stat -c '%a %n' out/*
      """)
    #expect(modes == ["644 out/app-2.Desktop", "644 out/app.Desktop"])
  }

  @Test("Standard input and references have no permissions")
  func unknown() throws {
    let modes = try modes(
      """
      dragboard add --stdin --name tool.sh < tool.sh > ids
      dragboard add --link --file tool.sh > ids
      dragboard get 0 1 --into out > paths; stat -c '%a' out/*
      """)
    #expect(modes == ["644", "644"])
  }

  @Test("An archive with other bits is refused, and leaves no board")
  func archive() throws {
    let modes = try modes(
      """
      mkdir archive; dragboard add --file tool.sh > ids; dragboard export | tar -x -C archive
      sed -i 's/"mode":493/"mode":2541/' archive/board.json; grep -c 2541 archive/board.json
      tar -c -C archive $(ls archive) | dragboard import - --name copy 2>&1 | grep -c 'mode: 2541'
      dragboard boards | wc -l
      """)
    #expect(modes == ["1", "1", "1"])
  }
}

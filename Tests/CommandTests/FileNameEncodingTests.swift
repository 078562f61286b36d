import Foundation
import TestSupport
import Testing

@Suite("File names that are not UTF-8")
struct FileNameEncodingTests {
  @Test("Two files whose names differ only in an invalid byte become two rows and two files")
  func files() throws {
    let stage = try CommandStage()
    let result = try stage.shell(
      #"""
      mkdir in out
      echo e > $'in/caf\xe9.txt'; echo E > $'in/caf\xc9.txt'
      dragboard add --file in/* > /dev/null
      dragboard get 0 --output $'out/\xff'
      dragboard get 1 --output=$'out/\xfe'
      cat $'out/\xff' $'out/\xfe'
      """#)
    #expect(result.errors == "")
    #expect(Set(result.output.split(separator: "\n")) == ["e", "E"])
    #expect(try stage.objects("list").map { $0["preview"] as? String } == ["E", "e"])
  }

  @Test("An error shows the invalid byte, and a word that is not a path is refused")
  func errors() throws {
    let stage = try CommandStage()
    let missing = try stage.shell(#"dragboard add --file $'caf\xe9.txt'"#)
    #expect(missing.status == .exited(66))
    #expect(missing.errors == "Error: caf\\xE9.txt: No such file or directory\n")
    for line in [#"add $'a\xff'"#, #"list --board $'\xff'"#, #"add --file x --at $'\xff'"#] {
      let result = try stage.shell("dragboard \(line)")
      #expect(result.status == .exited(64), "\(line): \(result.errors)")
    }
  }

  @Test("A name is refused if another word spells its invalid byte with a backslash")
  func ambiguity() throws {
    let stage = try CommandStage()
    let result = try stage.shell(
      #"touch $'\xe9' '\xE9'; dragboard add --file $'\xe9' --file '\xE9'"#)
    #expect(result.status == .exited(64))
    #expect(try stage.rows() == [])
  }
}

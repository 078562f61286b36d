import Foundation
import TestSupport
import Testing

@Suite("Files of any type, encoding and name")
struct AnyFileTests {
  @Test("Texts of every type are found, shown and printed, and keep their type")
  func texts() throws {
    let stage = try CommandStage()
    let result = try stage.shell(
      """
      echo 'print("apple")' > x.py; printf '#!/bin/bash\\necho pear\\n' > run; echo '{"fig": 1}' > a.json
      echo 'all: plum' > Makefile; printf 'caf\\xe9 au lait\\n' > l.txt; printf '\\0\\1' > bytes
      dragboard add --file x.py run a.json Makefile l.txt bytes > /dev/null
      for word in apple pear fig plum café; do dragboard search $word | cut -f 1; done
      dragboard get 4 | cmp - l.txt; dragboard get 4 --type 'text/plain;charset=utf-8'
      dragboard get 0; dragboard show 0 | grep print
      """)
    #expect(
      result.output == """
        0
        1
        2
        3
        4
        café au lait
        print("apple")
        print("apple")

        """, "\(result.errors)")
    let types = try stage.objects("list").map { $0["types"] as? [String] ?? [] }
    let plain = "text/plain;charset=utf-8"
    #expect(types[0].count == 2 && types[0][0].contains("python") && types[0][1] == plain)
    #expect(types[1] == ["application/x-shellscript", plain])
    #expect(types[2] == ["application/json", plain])
    #expect(types[4] == ["text/plain;charset=iso-8859-1", plain])
    #expect(types[5] == ["application/octet-stream"])
  }

  @Test("A Latin-1 file among 200 files is added with the others")
  func latin1() throws {
    let stage = try CommandStage()
    let result = try stage.shell(
      """
      for i in $(seq 200); do echo "text $i" > $i.txt; done; printf '\\xfcber\\n' > 77.txt
      dragboard add --file *.txt | wc -l; dragboard search über | wc -l
      """)
    #expect(result.output == "200\n1\n", "\(result.errors)")
  }

  @Test("Standard input can be a file with a name, and names may begin with a hyphen")
  func inputs() throws {
    let stage = try CommandStage()
    let result = try stage.shell(
      """
      echo one > ./-x.md
      echo two | dragboard add --stdin --name y.md > /dev/null
      echo three | dragboard add --file - > /dev/null
      dragboard add --file -- -x.md > /dev/null
      printf 'a\\nb\\0c\\0' | dragboard add --null > /dev/null
      dragboard list | cut -f 3,6
      """)
    #expect(
      result.output == """
        text/markdown,text/plain;charset=utf-8\t[y.md] two
        text/plain;charset=utf-8\tthree
        text/markdown,text/plain;charset=utf-8\t[-x.md] one
        text/plain;charset=utf-8\ta
        text/plain;charset=utf-8\tc

        """, "\(result.errors)")
    try stage.expect(64, "add", "--stdin", "--null", naming: "--null")
    try stage.expect(64, "add", "--name", "x", "text", naming: "--name")
    #expect(try stage.shell("printf 'a\\xe9\\0' | dragboard add --null").status == .exited(64))
  }

  @Test("A joiner in a name stays where it is visible")
  func joiners() throws {
    let stage = try CommandStage()
    let result = try stage.shell(
      """
      touch $'\\U1F469\\u200D\\U1F4BB.png' $'a\\u200Db.png'; mkdir out
      dragboard add --file *.png > /dev/null; dragboard get --into out > /dev/null; ls out | cat
      """)
    #expect(
      result.output.unicodeScalars.elementsEqual(
        "\u{1F469}\u{200D}\u{1F4BB}.png\nab.png\n".unicodeScalars)
        || result.output.unicodeScalars.elementsEqual(
          "ab.png\n\u{1F469}\u{200D}\u{1F4BB}.png\n".unicodeScalars),
      "\(result.output) \(result.errors)")
  }
}

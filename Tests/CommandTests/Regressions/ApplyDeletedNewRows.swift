import TestSupport
import Testing

@Suite("Regression: apply deleted rows that were added after the list was printed")
struct ApplyDeletedNewRows {
  private func stage() throws -> (CommandStage, ids: [String]) {
    let stage = try CommandStage()
    return (stage, try stage.lines("add", "a", "b", "c"))
  }

  private func apply(_ stage: CommandStage, _ line: String) throws {
    let result = try stage.shell(line)
    #expect(result.status == .exited(0), "\(result.errors)")
  }

  @Test("The list begins with its revision, and rows that came later stay in their places")
  func later() throws {
    let (stage, ids) = try stage()
    #expect(try stage.output("apply", "--print").hasPrefix("# revision: 2\n[main]\n\(ids[0])"))
    try apply(stage, "dragboard apply --print > l")
    try stage.output("add", "--at", "2", "new")
    try stage.output("add", "--at", "0", "first")
    try apply(stage, "sed -i '/a$/d' l && dragboard apply < l")
    #expect(try stage.rows() == ["0 first", "1 b", "2 new", "3 c"])
    try apply(stage, "grep -v revision l | sed '/c$/d' | dragboard apply")
    #expect(try stage.rows() == ["0 b"])
  }

  @Test("With --replace, rows that came later are deleted")
  func replace() throws {
    let (stage, _) = try stage()
    try apply(
      stage, "dragboard apply --print > l && dragboard add new && dragboard apply --replace < l")
    #expect(try stage.rows() == ["0 a", "1 b", "2 c"])
  }

  @Test("Rows that were deleted later are ignored, and sections that came later stay")
  func deleted() throws {
    let (stage, _) = try stage()
    try apply(
      stage,
      """
      dragboard apply --print | tac > l && dragboard remove 1 && dragboard section add later &&
      dragboard add --at later: x y && sed -i '1i [main]' l && sed -i '5d' l && dragboard apply < l
      """)
    #expect(try stage.rows() == ["0 c", "1 a", "later:0 x", "later:1 y"])
  }

  @Test("A deleted section comes back if it got rows later")
  func section() throws {
    let (stage, _) = try stage()
    try apply(
      stage,
      """
      dragboard section add later && dragboard add --at later: x && dragboard apply --print > l &&
      dragboard add --at later: y && sed -i '/later/,$d' l && dragboard apply < l
      """)
    #expect(try stage.rows() == ["0 a", "1 b", "2 c", "later:0 y"])
  }

  @Test("With --section, rows that came later stay in the section")
  func oneSection() throws {
    let (stage, _) = try stage()
    try apply(
      stage,
      """
      dragboard apply --print --section 0 > l && dragboard add new && dragboard section add later &&
      sort -r -k2 l | dragboard apply --section 0
      """)
    #expect(try stage.rows() == ["0 c", "1 new", "2 b", "3 a"])
    #expect(try stage.lines("section").count == 2)
  }

  @Test("A revision that the board never had, and a word as a revision, are refused")
  func wrongRevision() throws {
    let (stage, ids) = try stage()
    for (revision, code) in [("99", Int32(64)), ("x", 64), ("0", 77)] {
      let result = try stage.shell(
        "printf '# revision: %s\\n%s\\n' \(revision) \(ids[0]) | dragboard apply")
      #expect(result.status == .exited(code), "\(revision): \(result.errors)")
    }
    #expect(try stage.rows() == ["0 a", "1 b", "2 c"])
  }
}

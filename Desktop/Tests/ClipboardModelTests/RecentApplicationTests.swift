import ClipboardModel
import Testing

struct RecentApplicationTests {
  @Test("The latest application is the first, and each is there once")
  func theLatestApplicationIsTheFirst() {
    var recent = RecentApplications()
    for name in ["a", "b", "a", "a", "c"] { recent.note(name) }
    #expect(recent.names == ["c", "a", "b"])
  }

  @Test("The list has at most 32 names")
  func theListHasAtMost32Names() {
    var recent = RecentApplications()
    for number in 0..<100 { recent.note("\(number)") }
    #expect(recent.names == (68..<100).reversed().map { "\($0)" })
  }

  @Test(
    "A name that cannot be an exclusion is ignored",
    arguments: ["", "a\nb", "*", String(repeating: "x", count: 257)])
  func aNameThatCannotBeAnExclusionIsIgnored(_ name: String) {
    var recent = RecentApplications()
    recent.note(name)
    #expect(recent.names.isEmpty)
  }
}

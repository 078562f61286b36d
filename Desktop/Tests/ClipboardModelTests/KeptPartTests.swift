import ClipboardModel
import Testing

@Suite struct KeptPartTests {
  private let copy = [
    "text/html", "text/plain;charset=utf-8", "image/png", "x-kde-passwordManagerHint",
  ]

  @Test(
    "One text or picture of the copy may be a part",
    arguments: ["text/plain;charset=utf-8", "image/png"])
  func oneTextOrPictureOfTheCopyMayBeAPart(_ name: String) {
    #expect(KeptPart.isPart([name], of: copy))
  }

  @Test(
    "Other offers are new",
    arguments: [
      ["text/html"], ["text/plain"], ["image/gif"], [], ["text/plain;charset=utf-8", "image/png"],
    ])
  func otherOffersAreNew(_ names: [String]) {
    #expect(!KeptPart.isPart(names, of: copy))
  }
}

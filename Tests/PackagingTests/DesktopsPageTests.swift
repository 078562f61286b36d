import DragboardInterface
import TestSupport
import Testing

@Suite("The page of the desktops")
struct DesktopsPageTests {
  /// The page is the output of `Desktop/test --desktops`, which needs more than this machine has.
  @Test("The page is of this release or of the previous one")
  func age() throws {
    let page = try Checkout.text(of: "docs/desktops.md")
    let version = try #require(page.firstMatch(of: /for version ([0-9.]*[0-9])/)?.1)
    // The first heading with a number is the latest release.
    let releases = try Checkout.text(of: "CHANGELOG.md").split(separator: "\n").compactMap {
      $0.firstMatch(of: /^## \[?([0-9.]*[0-9])/)?.1
    }
    #expect(([Dragboard.version] + releases.prefix(1).map(String.init)).contains(String(version)))
  }
}

import DragboardClient
import ShelfModel
import Testing

@Suite("Types, addresses and texts") struct TypeTests {
  @Test("Offers keep their order without duplicates, and names without content are left out")
  func offers() {
    let types = OfferedTypes([
      "TARGETS", "text/html", "UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "STRING",
      "image/png", "application/x-gtk-text-buffer", "text/plain;charset", "a/b/c", "TEXT/HTML",
      "text/_moz_htmlcontext", "x/${a-`touch`}",
    ])
    #expect(
      types.offers.map(\.type) == ["text/html", "text/plain;charset=utf-8", "image/png"])
    #expect(types.offers[1].name == "UTF8_STRING")
    #expect(OfferedTypes(["text/plain"]).offers.map(\.type) == ["text/plain"])
  }

  @Test("Lists of addresses have the format of RFC 2483")
  func addresses() {
    let list = Addresses("# two\r\nfile:///a%20b.txt\r\n\r\nhttps://example.org/x\r\n")
    #expect(list.all == ["file:///a%20b.txt", "https://example.org/x"])
    #expect(list.text == "file:///a%20b.txt\r\nhttps://example.org/x\r\n")
    #expect(Addresses.name(of: list.all[0]) == "a b.txt")
    #expect(Addresses.name(of: list.all[1]) == "example.org/x")
    #expect(Addresses.path(of: list.all[0]) == "/a b.txt")
    #expect(Addresses.path(of: "file://elsewhere/a") == nil)
    #expect(Addresses.path(of: list.all[1]) == nil)
    // A name need not be UTF-8.
    let latin = "file:///caf%E9"
    #expect(Addresses.pathBytes(of: latin) == Array("/caf".utf8) + [0xe9])
    #expect(Addresses.path(of: latin) == "/caf\u{fffd}")
    #expect(Addresses.pathOrAddress(latin) == latin)
    #expect(Addresses.pathOrAddress(list.all[0]) == "/a b.txt")
    #expect(Addresses.pathOrAddress(list.all[1]) == list.all[1])
    // In the system, this path would end at its zero byte.
    #expect(Addresses.path(of: "file:///a.txt%00.png") == nil)
    #expect(Addresses.name(of: "file:///") == "/")
  }

  @Test("A link of Firefox has an address and a title")
  func mozillaLink() {
    func bytes(_ text: String) -> [UInt8] {
      text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    }
    let link = Addresses.link(inMozilla: bytes("https://example.org/ä\nThe Title"))
    #expect(link?.address == "https://example.org/ä")
    #expect(link?.title == "The Title")
    #expect(Addresses.link(inMozilla: bytes("https://example.org/"))?.title == "")
    #expect(Addresses.link(inMozilla: bytes("no address")) == nil)
    #expect(Addresses.link(inMozilla: [1]) == nil)
    #expect(RowFacts(id: item(1), types: [.mozillaLink, .plainText]).kind == .addresses)
  }

  @Test("The words of HTML are shown without tags, styles and scripts")
  func markup() {
    let words = ShownText.words(
      ofMarkup: "<style>b {}</style><p>a &lt; <b>b</b><br>c<script>if (a<b) {}</script> d")
    #expect(ShownText.lines(of: words) == "a < b\nc d")
    #expect(ShownText.words(ofMarkup: "<unclosed") == "")
  }

  @Test("A dragged row offers all its types; several rows offer their common types")
  func outgoing() {
    let text = RowFacts(id: item(1), types: [.html, .plainText])
    let image = RowFacts(id: item(2), types: [.png])
    #expect(OutgoingTypes.of([text]) == [.html, .plainText, "text/plain"])
    #expect(OutgoingTypes.of([image]) == [.png, .uriList])
    #expect(OutgoingTypes.of([text, image]) == [.plainText, "text/plain", .uriList])
    #expect(OutgoingTypes.of([]) == [])
    let file = RowFacts(id: item(3), types: [.uriList])
    #expect(OutgoingTypes.of([file]) == [.uriList, .plainText, "text/plain"])
    let link = RowFacts(id: item(4), types: [.mozillaLink])
    #expect(
      OutgoingTypes.of([file, link], isCopy: true)
        == [.uriList, .copiedFiles, .plainText, "text/plain"])
    #expect(OutgoingTypes.of([text], isCopy: true) == [.html, .plainText, "text/plain"])
    #expect(OutgoingTypes.of([text], isSaved: true).last == .directSave)
    #expect(text.isFormatted)
    #expect(!RowFacts(id: item(5), types: ["text/plain", .plainText]).isFormatted)
  }

  @Test(
    "A picture becomes a file with its name on the web, and the type that fits the name",
    arguments: [
      ("", "https://example.org/a/photo.jpg?x=1", "photo.jpg", "image/jpeg"),
      ("", "https://example.org/a/logo.png", "logo.png", "image/png"),
      ("", "https://example.org/view.php?id=3", "view.png", "image/png"),
      ("", "https://example.org/%2e%2e%2fa%20b.JPG", "_._a b.JPG", "image/jpeg"),
      ("", "https://example.org/", "Image.png", "image/png"),
      ("", nil, "Image.png", "image/png"),
      ("mine.jpeg", "https://example.org/logo.png", "mine.jpeg", "image/jpeg"),
      ("mine", nil, "mine.png", "image/png"),
    ])
  func pictures(suggested: String, address: String?, name: String, type: ContentType) {
    let row = RowFacts(
      id: item(1), types: [.mozillaLink, .html, .png, "image/jpeg"], suggestedName: suggested)
    #expect(row.saved(from: address)?.name.text == name)
    #expect(row.saved(from: address)?.type == type)
  }

  @Test("A text becomes a file with its first words as its name")
  func namesOfTexts() {
    func name(_ text: String, _ types: [ContentType] = [.plainText]) -> String? {
      RowFacts(id: item(1), preview: text, types: types).saved()?.name.text
    }
    #expect(name("Grüße, 世界") == "Grüße, 世界.txt")
    #expect(name("a/b\nc") == "a_b.txt")
    #expect(
      name(String(repeating: "word ", count: 20)) == "word word word word word word word word.txt")
    #expect(name("x", [.html]) == "x.html")
    #expect(name("# x", ["text/markdown"]) == "# x.md")
  }

  @Test("An address that was pasted as text is a link")
  func pastedAddresses() {
    func address(_ text: String, byteCount: Int? = nil, _ types: [ContentType] = [.plainText])
      -> String?
    {
      RowFacts(id: item(1), preview: text, types: types, byteCount: byteCount ?? text.utf8.count)
        .pastedAddress
    }
    #expect(address("https://example.org/ä") == "https://example.org/ä")
    #expect(address("HTTP://example.org", byteCount: 20) == "HTTP://example.org")
    #expect(address("https://example.org and more") == nil)
    #expect(address("https://example.org", byteCount: 60) == nil)
    #expect(address("https://") == nil)
    #expect(address("javascript://x") == nil)
    #expect(address("file:///etc/passwd") == nil)
    #expect(address("https://example.org", [.html, .plainText]) == nil)
  }

  @Test("A refused drop has a reason")
  func refusal() {
    func text(_ types: [ContentType], isFull: Bool = false) -> String {
      Refusal.text(of: "Work", accepting: types, isFull: isFull) { _ in "Text" }
    }
    #expect(text([.plainText, "text/plain"]) == "“Work” accepts only: Text")
    #expect(text([.any]) == "“Work” does not accept this content")
    #expect(text([.any], isFull: true) == "“Work” is full")
  }

  @Test(
    "The portal gets no addresses that a sandboxed client may have inserted",
    arguments: [
      ("", true), ("org.dragboard.Shelf", true), ("org.evil.App", false), (":1.7", false),
      ("snap.evil", false), ("/clipboard", false),
    ])
  func sharedFiles(source: String, mayShare: Bool) {
    let addresses = RowFacts(id: item(1), types: [.plainText, .uriList], source: source)
    #expect(addresses.mayShareFiles { $0 == "org.dragboard.Shelf" } == mayShare)
    let image = RowFacts(id: item(2), types: [.png], source: source)
    #expect(image.mayShareFiles { $0 == "org.dragboard.Shelf" })
  }

  @Test("A row has a human name for its type")
  func facts() {
    let image = RowFacts(id: item(1), types: ["image/png", .uriList], byteCount: 1_250)
    let detail = image.detail { "<\($0)>" }
    #expect((image.kind, image.title, detail) == (.image, "Image", "<image/png> · 1.3 kB"))
    #expect(RowFacts(id: item(1), preview: "x").detail { "\($0)" } == "")
  }

  @Test(
    "A file of a row has a safe name, whatever the source suggested",
    arguments: [
      ("", "Item.txt"), ("\u{202E}", "Item.txt"), ("notes.txt", "notes.txt"),
      ("../a/..", "_._a_.."),
      ("/etc/b.c", "_etc_b.c"), (".bashrc", "_bashrc"), ("-rf", "_rf"),
      (String(repeating: "a", count: 255) + ".png", String(repeating: "a", count: 251) + ".png"),
    ])
  func fileNames(suggested: String, expected: String) {
    let row = RowFacts(id: item(1), types: [.plainText], suggestedName: suggested)
    #expect(row.fileName.text == expected)
    #expect(WaitingDrag.Item(types: [.png]).fileName.text == "Image.png")
    #expect(WaitingDrag.Item(types: ["a/../.b"]).fileName.text == "Item..._.b")
  }

  @Test(
    "Sizes are shown in readable units",
    arguments: [
      (1, "1 byte"), (999, "999 bytes"), (1000, "1 kB"), (1249, "1.2 kB"), (34_500_000, "35 MB"),
      (999_600, "1 MB"),
    ])
  func sizes(count: Int, text: String) { #expect(byteText(count) == text) }
}

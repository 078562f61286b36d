import DragboardClient
import ShelfModel
import Testing

@Suite("Waiting drags") struct WaitingDragTests {
  private func drag(
    _ items: [WaitingDrag.Item], of application: String = "org.example.Script", count: Int? = nil
  ) -> WaitingDrag {
    WaitingDrag(
      id: SessionID(1), application: application, itemCount: count ?? items.count, items: items)
  }

  private func title(_ drag: WaitingDrag) -> String {
    drag.title { $0 == "application/pdf" ? "PDF document" : $0.rawValue }
  }

  private func detail(_ drag: WaitingDrag) -> String {
    drag.detail(
      describe: { $0 == "application/pdf" ? "PDF document" : $0.rawValue },
      nameOf: { $0 == "org.example.Viewer" ? "Viewer" : $0 })
  }

  private let text = WaitingDrag.Item(types: [.plainText])
  private let report = WaitingDrag.Item(
    types: ["application/pdf", .plainText], suggestedName: "report.pdf",
    application: "org.example.Viewer")

  @Test("A drag has the name or the type of its only item, or the number of its items")
  func titles() {
    #expect(title(drag([text])) == "Text")
    #expect(title(drag([report])) == "report.pdf")
    #expect(title(drag([WaitingDrag.Item(types: ["application/pdf"])])) == "PDF document")
    #expect(title(drag([text, report])) == "2 items")
    #expect(title(drag([text], count: 100)) == "100 items")
    #expect(title(drag([report, text, text])) == "report.pdf and 2 more")
  }

  @Test("A name is shown without bidirectional controls")
  func deception() {
    let item = WaitingDrag.Item(types: [.plainText], suggestedName: "a\u{202E}txt.exe")
    #expect(!title(drag([item])).contains("\u{202E}"))
  }

  @Test("A drag shows its type, unless the title shows it, and a readable source")
  func details() {
    #expect(detail(drag([text])) == "from org.example.Script")
    #expect(detail(drag([text], of: ":1.42")) == "from a program")
    #expect(detail(drag([report], of: ":1.42")) == "Text · from Viewer")
    #expect(detail(drag([text, text])) == "Text · from org.example.Script")
    #expect(detail(drag([text, report])) == "Text · from org.example.Script")
    let picture = WaitingDrag.Item(types: ["image/png"])
    #expect(detail(drag([text, picture])) == "from org.example.Script")
  }

  @Test("A drag of another machine shows the machine, without bidirectional controls")
  func machines() {
    func drag(on machine: String) -> WaitingDrag {
      WaitingDrag(
        id: SessionID(1), application: ":1.42", machine: machine, itemCount: 1, items: [report])
    }
    #expect(detail(drag(on: "desktop")) == "Text · from desktop")
    #expect(!detail(drag(on: "a\u{202E}b")).contains("\u{202E}"))
  }

  @Test("A drag has the kind that all of its items have")
  func kinds() {
    let text = WaitingDrag.Item(types: [.plainText])
    let picture = WaitingDrag.Item(types: ["image/png"])
    #expect(drag([picture, picture]).kind == .image)
    #expect(drag([picture, text]).kind == .other)
  }
}

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

  @Test("A drag has the name of its only item, or the number of its items")
  func titles() {
    let text = WaitingDrag.Item(types: [.plainText])
    let file = WaitingDrag.Item(types: ["application/pdf"], suggestedName: "report.pdf")
    #expect(drag([text]).title == "Text")
    #expect(drag([file]).title == "report.pdf")
    #expect(drag([WaitingDrag.Item(types: ["application/pdf"])]).title == "application/pdf")
    #expect(drag([text, file]).title == "2 items")
    #expect(drag([text], count: 100).title == "100 items")
  }

  @Test("A drag shows its source, if that has a readable name")
  func origins() {
    #expect(drag([]).origin == "from org.example.Script")
    #expect(drag([], of: ":1.42").origin == "from a program")
  }

  @Test("A drag has the kind that all of its items have")
  func kinds() {
    let text = WaitingDrag.Item(types: [.plainText])
    let picture = WaitingDrag.Item(types: ["image/png"])
    #expect(drag([picture, picture]).kind == .image)
    #expect(drag([picture, text]).kind == .other)
  }
}

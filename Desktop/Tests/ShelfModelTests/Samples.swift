import DragboardClient

/// Returns the item with a small number as its id.
func item(_ number: Int) -> ItemID {
  let digits = String(number)
  let text = "00000000-0000-0000-0000-" + String(repeating: "0", count: 12 - digits.count) + digits
  guard let id = ItemID(text) else { preconditionFailure("\(text) is not an id") }
  return id
}

/// Returns a board of sections "A", "B" and so on with these items.
func board(_ sections: [Int]...) -> BoardSnapshot {
  BoardSnapshot(
    revision: 1,
    sections: zip("ABCDEF", sections).map { name, items in
      BoardSnapshot.Section(name: String(name), items: items.map(item))
    })
}

public import DragboardClient

/// The stacks of a board's rows: adjacent rows of a section with the same stack are one line, until
/// the stack is opened.
public struct Stacks: Hashable, Sendable {
  private var names: [ItemID: String] = [:]
  private var open: Set<String> = []

  /// Creates stacks of which nothing is known.
  public init() {}

  /// Returns the name of a row's stack; nil if it has none.
  public subscript(item: ItemID) -> String? { names[item] }

  /// Adopts the stacks of rows; returns whether a row has another stack than before.
  public mutating func note(_ rows: [RowFacts]) -> Bool {
    var hasChanged = false
    for row in rows {
      let name = row.stack.isEmpty ? nil : row.stack
      guard names[row.id] != name else { continue }
      names[row.id] = name
      hasChanged = true
    }
    return hasChanged
  }

  /// Forgets the stacks of all rows; those that were open will be open again.
  public mutating func forgetRows() { names = [:] }

  /// Opens or closes the stack of a row.
  public mutating func setOpen(_ isOpen: Bool, _ item: ItemID) {
    guard let name = names[item] else { return }
    if isOpen { open.insert(name) } else { open.remove(name) }
  }

  /// Returns whether a stack, which is not empty, is open.
  func isOpen(_ members: ArraySlice<ItemID>) -> Bool {
    members.first.flatMap { names[$0] }.map(open.contains) ?? false
  }

  /// Returns the row at an index of a section, and those below it with the same stack; none if it has
  /// no stack.
  func stack(at row: Int, of items: [ItemID]) -> ArraySlice<ItemID> {
    guard !names.isEmpty, let name = names[items[row]] else { return [] }
    return items[row...].prefix { names[$0] == name }
  }
}

extension Stacks {
  /// Returns new stacks for rows that are dragged: one for each stack of which several rows are
  /// dragged, and none for the others, in the order of the rows; nil for a row without a stack.
  ///
  /// Otherwise a copy of a row would join the stack of the original, or that of another copy.
  ///
  /// - Parameters:
  ///   - items: the rows.
  ///   - makeName: returns the name of a new stack.
  /// - Returns: the new stacks.
  public func ofCopies(_ items: [ItemID], makeName: () -> String) -> [String?] {
    let counts = Dictionary(grouping: items.compactMap { names[$0] }) { $0 }.mapValues(\.count)
    let new = counts.mapValues { $0 > 1 ? makeName() : "" }
    return items.map { item in names[item].flatMap { new[$0] } }
  }
}

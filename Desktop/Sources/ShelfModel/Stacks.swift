public import DragboardClient

/// The stacks of a board's rows.
///
/// Adjacent rows of a section with the same stack name form a stack. A closed stack is one line.
public struct Stacks: Hashable, Sendable {
  private var names: [ItemID: String] = [:]
  private var open: Set<String> = []

  /// Creates an empty value without known stacks.
  public init() {}

  /// Returns the name of a row's stack; nil if it has none.
  public subscript(item: ItemID) -> String? { names[item] }

  /// Stores the stack names of rows.
  ///
  /// - Returns: whether the name of a row has changed.
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

  /// Removes the stack names of all rows.
  ///
  /// Stacks that were open will be open again.
  public mutating func forgetRows() { names = [:] }

  /// Opens or closes the stack of a row.
  public mutating func setOpen(_ isOpen: Bool, _ item: ItemID) {
    guard let name = names[item] else { return }
    if isOpen { open.insert(name) } else { open.remove(name) }
  }

  /// Returns whether a stack is open.
  ///
  /// It must not be empty.
  func isOpen(_ members: ArraySlice<ItemID>) -> Bool {
    members.first.flatMap { names[$0] }.map(open.contains) ?? false
  }

  /// Returns the stack that begins at an index of a section: this row, and the rows below it with
  /// the same name.
  ///
  /// If the row has no stack, the result is empty.
  func stack(at row: Int, of items: [ItemID]) -> ArraySlice<ItemID> {
    guard !names.isEmpty, let name = names[items[row]] else { return [] }
    return items[row...].prefix { names[$0] == name }
  }
}

extension Stacks {
  /// Returns the stack names for the copies of dragged rows, in the order of the rows.
  ///
  /// If several rows of a stack are dragged, their copies form one new stack. If a single row of a
  /// stack is dragged, its copy gets an empty name, so it has no stack. With the name of the
  /// original, the copy would join the stack of the original or of another copy. For a row without
  /// a stack, the name is nil.
  ///
  /// - Parameters:
  ///   - items: the rows.
  ///   - makeName: returns the name of a new stack.
  /// - Returns: the new names.
  public func ofCopies(_ items: [ItemID], makeName: () -> String) -> [String?] {
    let counts = Dictionary(grouping: items.compactMap { names[$0] }) { $0 }.mapValues(\.count)
    let new = counts.mapValues { $0 > 1 ? makeName() : "" }
    return items.map { item in names[item].flatMap { new[$0] } }
  }
}

import DragboardClient
import Testing

/// A user who edits a shared board of one machine at random, and remembers which edits were
/// acknowledged.
///
/// The text of each row contains a unique name: `MACHINE.NUMBER|VERSION`.
actor Editor {
  /// The rows by name whose insertion, deletion or text was acknowledged.
  private(set) var inserted: Set<String> = []
  private(set) var deleted: Set<String> = []
  /// The latest acknowledged text of each row, without rows whose text may have changed since then.
  private(set) var texts: [String: String] = [:]
  /// The rows whose insertion or deletion may have happened.
  private(set) var maybeInserted: Set<String> = []
  private(set) var maybeDeleted: Set<String> = []

  private let name: String
  private let board: Board
  private var number = 0
  private var count = 0

  init(_ name: String, on connection: DragboardConnection) async throws {
    (self.name, board) = (name, try await connection.board(named: "shared"))
  }

  static func row(of text: String) -> String { String(text.prefix { $0 != "|" }) }

  /// Makes a number of edits.
  func edit(_ count: Int) async throws {
    var made = 0
    while made < count {
      do {
        try await edit()
        made += 1
        if made % 30 == 0 { try await Task.sleep(for: .milliseconds(Int.random(in: 50...400))) }
      } catch let error as DragboardError {
        // The link may have deleted the row. A killed daemon returns soon.
        if [.noReply, .noDaemon].contains(error.reason) {
          try await Task.sleep(for: .milliseconds(20))
        }
      }
    }
  }

  private func edit() async throws {
    let kind = Int.random(in: 0..<20)
    // Many edits concern the first rows, which other machines edit, too.
    let index = count == 0 ? 0 : Int.random(in: 0..<(Bool.random() ? count : min(count, 20)))
    let row = count == 0 ? nil : try await board.page(from: index, count: 1).rows.first
    guard let row, kind >= 9 else { return try await insert(at: row == nil ? nil : index) }
    let key = Self.row(of: row.preview)
    switch kind {
    case 9..<13: try await board.move([row.id], toSection: 0, row: Int.random(in: 0..<count))
    case 13..<16:
      number += 1
      let text = "\(key)|\(name)\(number)"
      texts[key] = nil
      try await board.setText(of: row.id, to: text)
      texts[key] = text
    case 16: try await board.setPinned(!row.isPinned, of: row.id)
    case 17: try await board.setName(of: row.id, to: "\(name)\(number)")
    default:
      maybeDeleted.insert(key)
      try await board.delete([row.id])
      deleted.insert(key)
      count -= 1
    }
  }

  private func insert(at row: Int?) async throws {
    number += 1
    let key = "\(name).\(number)"
    maybeInserted.insert(key)
    if row == nil { count = try await board.snapshot().sections[0].items.count }
    try await board.insert(["\(key)|"], at: row)
    inserted.insert(key)
    count += 1
  }

  /// The rows, in order.
  func rows() async throws -> [String] {
    var rows: [String] = []
    let total = try await board.snapshot().sections[0].items.count
    while rows.count < total {
      let page = try await board.page(from: rows.count, count: 5_000).rows
      rows += page.map { "\($0.preview) \($0.isPinned) \($0.attributes.name)" }
      if page.isEmpty { break }
    }
    return rows
  }
}

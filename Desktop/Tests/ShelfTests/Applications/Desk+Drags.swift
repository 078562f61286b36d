import DragboardClient
import Foundation
import Synchronization

/// Drags between the shelf, in the upper left corner, and a guest.
extension Desk {
  /// The folder that is everybody's home.
  var folder: String { environment["HOME"] ?? "/" }

  /// Starts a program on the desk.
  func start(_ arguments: [String]) throws -> Program { try Program(arguments, environment) }

  /// The middle of a row of the shelf, where rows have one line, and there is one section.
  static func middle(ofRow row: Int) -> Point { (120, 85 + 56 * row) }

  /// The gap above a row of the shelf.
  static func gap(aboveRow row: Int) -> Point { (150, 58 + 56 * row) }

  /// Makes the board hold a row of each of those parts, and waits until the shelf shows them.
  func fill(_ rows: [[Sample.Part]]) async throws -> [ItemID] {
    let old = try await board.snapshot().sections[0].items
    if !old.isEmpty { try await board.delete(old) }
    var items: [ItemID] = []
    for parts in rows {
      let item = DragItem(parts.map { .init($0.type, .data($0.bytes)) })
      let session = try await connection.beginDrag([item], as: "tests").session
      items += try await board.dropTarget.perform(session.id, inSection: 0, as: "tests").items
    }
    try await click(row: items.count - 1, of: items)
    return items
  }

  /// Clicks on a row until it is selected: the shelf may have yet to show it.
  ///
  /// Between two clicks is more time than in a double click.
  func click(row: Int, of items: [ItemID]) async throws {
    var next = ContinuousClock.now
    try await until {
      if ContinuousClock.now >= next {
        try self.screen.perform([.move(Self.middle(ofRow: row)), .press, .release])
        next = .now + .milliseconds(700)
      }
      return try await self.selection() == [items[row]]
    }
  }

  /// Waits until the one session on the bus is there and has been offered that at a row; the pointer trembles until then.
  func hover(at place: Point, until operation: DropOperation, row: Int) async throws {
    // A drag that begins late, as one of a browser may, comes with the next motion only.
    try await until {
      try self.screen.tremble(at: place)
      return try await !self.connection.sessions().isEmpty
    }
    guard let session = try await connection.sessions().last?.session else { return }
    let events = try await session.events()
    let isOffered = Flag()
    let watching = Task {
      for try await case .updated(_, _, operation, RowPosition(section: 0, row: row)) in events {
        isOffered.raise()
      }
    }
    defer { watching.cancel() }
    try await until {
      try self.screen.tremble(at: place)
      return isOffered.isRaised
    }
  }

  /// Takes a row to a guest, and gives it time to learn of the drag; the pointer trembles until then.
  ///
  /// It takes hold again where nothing was dragged: what the row holds may have yet to come, and with it what can be offered.
  func carry(row: Int, to place: Point, holding key: String? = nil) async throws {
    var next = ContinuousClock.now
    try await until {
      if ContinuousClock.now >= next {
        try self.screen.perform([.release] + (key.map { [.letGo($0)] } ?? []))
        try self.screen.carry(from: Self.middle(ofRow: row), to: place, holding: key)
        next = .now + .seconds(3)
      }
      try self.screen.tremble(at: place)
      return try await self.connection.sessions().count == 1
    }
    for _ in 1...5 { try screen.tremble(at: place) }
  }

  /// How a drag is cancelled: sway gives a drag no keyboard, so that it ends where nobody takes it.
  var cancellation: String { screen is XScreen ? "Escape" : "dropped on nothing" }

  /// The toolkits whose drags can be cancelled: under X11, Escape means nothing to one of GTK 4.8.
  static let cancellable: [Peer.Toolkit] =
    WaylandScreen.isThere ? Peer.Toolkit.allCases : [.gtk3, .qt5]

  /// Fails unless the board has those rows.
  func expect(rows expected: [ItemID]) async throws {
    guard try await rows() == expected else {
      throw Program.Failure(description: "the rows are \(try await texts())")
    }
  }

  /// Ends the drag that is under way without a drop.
  func cancelDrag() throws {
    if screen is XScreen {
      try run("xdotool", "key", "Escape")
    } else {
      try screen.perform([.move((450, 600)), .rest(.milliseconds(60)), .move((460, 610))])
    }
    try screen.perform([.release])
  }

  /// Waits until no drag is under way.
  func untilQuiet() async throws {
    try await until { try await self.connection.sessions().isEmpty }
  }

  /// The board's rows.
  func rows() async throws -> [ItemID] { try await board.snapshot().sections[0].items }

  /// Fails unless a row has those types first, in that order, with those bytes.
  func expect(_ item: ItemID, is parts: [Sample.Part]) async throws {
    let types = try await board.types(of: item)
    guard types.filter(parts.map(\.type).contains) == parts.map(\.type) else {
      throw Program.Failure(description: "the row has the types \(types.map(\.rawValue))")
    }
    for part in parts {
      var bytes = try await board.file(of: item, as: part.type).bytes()
      // Some editors end a text with a new line of their own.
      if part.type == .plainText, bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
      guard bytes == part.bytes else {
        let text = String(decoding: bytes.prefix(80), as: UTF8.self)
        throw Program.Failure(description: "the row's \(part.type.rawValue) is \(text)")
      }
    }
  }
}

/// Something that has happened.
private final class Flag: Sendable {
  private let value = Atomic(false)

  var isRaised: Bool { value.load(ordering: .acquiring) }

  func raise() { value.store(true, ordering: .releasing) }
}

extension Sample {
  /// A row of plain text.
  static func row(_ text: String) -> [Part] {
    [Part(type: .plainText, bytes: Array(text.utf8))]
  }
}

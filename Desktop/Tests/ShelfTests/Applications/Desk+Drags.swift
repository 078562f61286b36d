import DragboardClient
import Foundation
import Synchronization
import TestSupport

/// Drags between the shelf, in the upper left corner, and another application.
extension Desk {
  /// The home directory of all programs on this desktop.
  var folder: String { environment["HOME"] ?? "/" }

  /// Starts a program on this desktop.
  func start(_ arguments: [String]) throws -> TestProgram {
    try TestProgram(arguments, environment)
  }

  /// The middle of a row of the shelf, if all rows have one line and the board has one section.
  static func middle(ofRow row: Int) -> Point { (120, 85 + 56 * row) }

  /// The position above a row of the shelf.
  static func gap(aboveRow row: Int) -> Point { (150, 58 + 56 * row) }

  /// Replaces the rows of the board by rows with these representations, and waits until the shelf
  /// shows them.
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

  /// Clicks on a row until it is selected, because the shelf may not have shown the row yet.
  ///
  /// The clicks are too far apart for a double click, even on a busy machine.
  func click(row: Int, of items: [ItemID]) async throws {
    var next = ContinuousClock.now
    try await until {
      if ContinuousClock.now >= next {
        try self.screen.perform([.move(Self.middle(ofRow: row)), .press, .release])
        next = .now + .seconds(2)
      }
      return try await self.selection() == [items[row]]
    }
  }

  /// Waits until the only session on the bus has a proposal for a row.
  ///
  /// Meanwhile, the pointer moves by one pixel and back.
  func hover(at place: Point, until operation: DropOperation, row: Int) async throws {
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

  /// Starts a drag from another application, and waits until the shelf has noticed it.
  ///
  /// Firefox on Wayland sometimes begins a drag that the compositor does not know, so its drag
  /// starts again.
  func carry(from guest: any Guest, to place: Point, holding key: String? = nil) async throws {
    var next: ContinuousClock.Instant? = .now
    try await until {
      if let time = next, ContinuousClock.now >= time {
        try self.screen.perform([.release] + (key.map { [.releaseKey($0)] } ?? []))
        try self.screen.carry(from: await guest.prepareDrag(), to: place, holding: key)
        next = guest is Browser ? .now + .seconds(5) : nil
      }
      // Some applications, such as browsers, start a drag only with the next motion.
      try self.screen.tremble(at: place)
      return try await !self.connection.sessions().isEmpty
    }
  }

  /// Drags a row to another application, and waits until the application has had time to notice the
  /// drag.
  ///
  /// During the wait, the pointer moves by one pixel and back. If no session begins, the drag
  /// starts again, because the shelf may not have read the content of the row yet.
  func carry(row: Int, to place: Point, holding key: String? = nil) async throws {
    var next = ContinuousClock.now
    try await until {
      if ContinuousClock.now >= next {
        try self.screen.perform([.release] + (key.map { [.releaseKey($0)] } ?? []))
        try self.screen.carry(from: Self.middle(ofRow: row), to: place, holding: key)
        next = .now + .seconds(3)
      }
      try self.screen.tremble(at: place)
      return try await self.connection.sessions().count == 1
    }
    // On a busy machine, an application accepts a drag late, and a drop before that is refused.
    for _ in 1...15 { try screen.tremble(at: place) }
  }

  /// The way in which a drag is cancelled.
  ///
  /// On Wayland, keys do not reach a drag, so the drag is dropped outside of all windows.
  var cancellation: String { screen is XScreen ? "Escape" : "dropped on nothing" }

  /// The toolkits whose drags can be cancelled.
  ///
  /// On X11, Escape has no effect on a drag of GTK 4.8.
  static let cancellable: [Peer.Toolkit] =
    WaylandScreen.isUsed ? Peer.Toolkit.installed : [.gtk3, .qt5]

  /// Throws an error unless the board has exactly these rows.
  func expect(rows expected: [ItemID]) async throws {
    guard try await rows() == expected else {
      throw TestProgram.Failure(description: "the rows are \(try await texts())")
    }
  }

  /// Cancels the drag in progress.
  func cancelDrag() throws {
    if screen is XScreen {
      try run("xdotool", "key", "Escape")
      try screen.perform([.release])
    } else {
      try cancelDrag(at: (460, 610))
    }
  }

  /// Drops the drag in progress at a point without a window.
  func cancelDrag(at point: Point) throws {
    try screen.perform([
      .move((point.x - 10, point.y - 10)), .rest(.milliseconds(60)), .move(point), .release,
    ])
  }

  /// Waits until the bus has no drag session.
  func untilQuiet() async throws {
    try await until { try await self.connection.sessions().isEmpty }
  }

  /// Returns the board's rows.
  func rows() async throws -> [ItemID] { try await board.snapshot().sections[0].items }

  /// Throws an error unless the row has these types, in this order, with these bytes.
  func expect(_ item: ItemID, is parts: [Sample.Part]) async throws {
    let types = try await board.types(of: item)
    guard types.filter(parts.map(\.type).contains) == parts.map(\.type) else {
      throw TestProgram.Failure(description: "the row has the types \(types.map(\.rawValue))")
    }
    for part in parts {
      var bytes = try await board.file(of: item, as: part.type).bytes()
      // Some editors append a line feed to a text.
      if part.type == .plainText, bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
      guard bytes == part.bytes else {
        let text = String(decoding: bytes.prefix(80), as: UTF8.self)
        throw TestProgram.Failure(description: "the row's \(part.type.rawValue) is \(text)")
      }
    }
  }
}

/// A flag that one task sets and another task reads.
private final class Flag: Sendable {
  private let value = Atomic(false)

  var isRaised: Bool { value.load(ordering: .acquiring) }

  func raise() { value.store(true, ordering: .releasing) }
}

extension Sample {
  /// Returns the representation of a row of plain text.
  static func row(_ text: String) -> [Part] {
    [Part(type: .plainText, bytes: Array(text.utf8))]
  }
}

import BoardModel
import DBus
import DragModel
import DragboardStore

/// The methods and properties of `org.dragboard.Dragboard1.Board` that edit sections and settings.
struct BoardAdministration {
  /// The maximum number of types that a board accepts.
  private static let maxAcceptedTypes = 256
  /// The maximum number of types in a call.
  ///
  /// It is larger than `maxAcceptedTypes`. So if a list is too long and has a malformed type, the
  /// error reports the malformed type.
  static let maxNamedTypes = 10_000

  let limits: Limits
  let retention: Retention

  // MARK: Sections

  func insertSection(
    _ board: BoardEntity, _ command: Command, _ name: String, _ section: Int32
  ) throws(DBusError) -> UInt64 {
    _ = try Name(argument: "name", name)
    let index = try BoardEntity.destination(section, argument: "section")
    try command.access.checkGoverns()
    return try board.edit(for: command) { model throws(BoardError) in
      try model.insertSection(named: name, at: index, maxSections: limits.maxSections)
    }
  }

  func renameSection(
    _ board: BoardEntity, _ command: Command, _ section: UInt32, _ name: String
  ) throws(DBusError) -> UInt64 {
    _ = try Name(argument: "name", name)
    try command.access.checkGoverns()
    return try board.edit(for: command) { model throws(BoardError) in
      try model.renameSection(Int(section), to: name)
    }
  }

  func moveSection(
    _ board: BoardEntity, _ command: Command, _ from: UInt32, _ to: UInt32
  ) throws(DBusError) -> UInt64 {
    try command.access.checkGoverns()
    return try board.edit(for: command) { model throws(BoardError) in
      try model.moveSection(from: Int(from), to: Int(to))
    }
  }

  func deleteSection(
    _ board: BoardEntity, _ command: Command, _ section: UInt32
  ) throws(DBusError) -> UInt64 {
    try command.access.checkGoverns()
    return try board.edit(for: command) { model throws(BoardError) in
      try model.deleteSection(Int(section))
    }
  }

  // MARK: Settings

  func setAcceptedTypes(
    _ board: BoardEntity, _ command: Command, _ types: [String]
  ) throws(DBusError) {
    var accepted: [String] = []
    for type in types {
      let query = try TypeQuery(argument: "types", type).description
      if accepted.count <= Self.maxAcceptedTypes, !accepted.contains(query) {
        accepted.append(query)
      }
    }
    try command.access.checkGoverns()
    guard types.count <= Self.maxAcceptedTypes else {
      throw .limit("types: the maximum number of accepted types", Self.maxAcceptedTypes)
    }
    try board.changeHeader(in: command.step) { $0.acceptedTypes = accepted }
  }

  func setMaxRows(
    _ board: BoardEntity, _ command: Command, _ maxRows: UInt32
  ) throws(DBusError) {
    try command.access.checkGoverns()
    try board.changeHeader(in: command.step) { $0.maxRows = maxRows }
  }

  func setMovesMultipleRows(
    _ board: BoardEntity, _ command: Command, _ moves: Bool
  ) throws(DBusError) {
    try command.access.checkGoverns()
    try board.changeHeader(in: command.step) { $0.movesMultipleRows = moves }
  }

  func setRetainRows(
    _ board: BoardEntity, _ command: Command, _ rows: UInt32
  ) throws(DBusError) {
    try setRetention(of: board, command) { $0.rows = rows }
  }

  func setRetainSeconds(
    _ board: BoardEntity, _ command: Command, _ seconds: UInt32
  ) throws(DBusError) {
    try setRetention(of: board, command) { $0.seconds = seconds }
  }

  private func setRetention(
    of board: BoardEntity, _ command: Command, _ change: (inout RetentionLimits) -> Void
  ) throws(DBusError) {
    try command.access.checkGoverns()
    var limits = board.header.retention
    change(&limits)
    try retention.set(limits, of: board, in: command.step)
  }

  func setMovesDuplicates(
    _ board: BoardEntity, _ command: Command, _ moves: Bool
  ) throws(DBusError) {
    try command.access.checkGoverns()
    try board.changeHeader(in: command.step) { $0.movesDuplicates = moves }
  }
}

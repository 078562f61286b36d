import DBus
import DragboardInterface

/// The values of an interface's properties, which are read by the declarations of the properties.
struct Properties {
  private let values: [String: Variant]

  init(_ values: [String: Variant]) { self.values = values }

  /// Whether the daemon sent the property.
  func has<Value>(_ property: PropertyDeclaration<Value>) -> Bool {
    values[property.description.name.text] != nil
  }

  func text(_ property: PropertyDeclaration<String>) throws(DragboardError) -> String {
    guard case .string(let text) = value(property) else { throw malformed(property) }
    return text
  }

  func flag(_ property: PropertyDeclaration<Bool>) throws(DragboardError) -> Bool {
    guard case .boolean(let flag) = value(property) else { throw malformed(property) }
    return flag
  }

  func number(_ property: PropertyDeclaration<UInt32>) throws(DragboardError) -> Int {
    guard case .uint32(let number) = value(property) else { throw malformed(property) }
    return Int(number)
  }

  func number(_ property: PropertyDeclaration<UInt64>) throws(DragboardError) -> UInt64 {
    guard case .uint64(let number) = value(property) else { throw malformed(property) }
    return number
  }

  func fraction(_ property: PropertyDeclaration<Double>) throws(DragboardError) -> Double {
    guard case .double(let fraction) = value(property) else { throw malformed(property) }
    return fraction
  }

  func path(_ property: PropertyDeclaration<ObjectPath>) throws(DragboardError) -> ObjectPath {
    guard case .objectPath(let path) = value(property) else { throw malformed(property) }
    return path
  }

  func texts(_ property: PropertyDeclaration<[String]>) throws(DragboardError) -> [String] {
    guard case .array(_, let elements) = value(property) else { throw malformed(property) }
    var texts: [String] = []
    for element in elements {
      guard case .string(let text) = element else { throw malformed(property) }
      texts.append(text)
    }
    return texts
  }

  private func value<Value>(_ property: PropertyDeclaration<Value>) -> DBus.Value? {
    values[property.description.name.text]?.value
  }

  private func malformed<Value>(_ property: PropertyDeclaration<Value>) -> DragboardError {
    .malformed("value of the property \(property.description.name)")
  }
}

extension BoardInfo {
  init(_ properties: Properties) throws(DragboardError) {
    try self.init(
      name: properties.text(BoardInterface.boardName),
      revision: properties.number(BoardInterface.revision),
      count: properties.number(BoardInterface.count),
      sections: properties.texts(BoardInterface.sections),
      acceptedTypes: properties.texts(BoardInterface.acceptedTypes).map { ContentType($0) },
      maxRows: properties.number(BoardInterface.maxRows),
      movesMultipleRows: properties.flag(BoardInterface.movesMultipleRows),
      retainedRows: properties.number(BoardInterface.retainRows),
      retainedTime: .seconds(properties.number(BoardInterface.retainSeconds)),
      movesDuplicates: properties.flag(BoardInterface.movesDuplicates),
      hasActiveDrag: properties.flag(BoardInterface.hasActiveDrag))
  }
}

extension SessionInfo {
  init(_ properties: Properties) throws(DragboardError) {
    let state = try properties.text(DragSessionInterface.state)
    guard let state = State(rawValue: state) else { throw .malformed("State '\(state)'") }
    let board = try properties.path(DragSessionInterface.sourceBoard)
    try self.init(
      application: properties.text(DragSessionInterface.application), state: state,
      operation: DropOperation(rawValue: properties.text(DragSessionInterface.operation)),
      itemCount: properties.number(DragSessionInterface.itemCount),
      sourceBoard: board == "/" ? nil : BoardID(board),
      sourceRows: ItemID.all(properties.texts(DragSessionInterface.sourceRows)),
      allowsMove: properties.flag(DragSessionInterface.allowsMove),
      isRestrictedToApplication: properties.flag(DragSessionInterface.restrictedToApplication),
      machine: properties.has(DragSessionInterface.machine)
        ? properties.text(DragSessionInterface.machine) : "",
      progress: properties.has(DragSessionInterface.progress)
        ? properties.fraction(DragSessionInterface.progress) : 0)
  }
}

extension ViewInfo {
  init(_ properties: Properties) throws(DragboardError) {
    try self.init(
      board: BoardID(properties.path(ViewInterface.board)),
      application: properties.text(ViewInterface.application),
      isEditing: properties.flag(ViewInterface.editing),
      selection: ItemID.all(properties.texts(ViewInterface.selection)),
      pending: ItemID.orNone(properties.text(ViewInterface.pending)),
      allowsMultipleSelection: properties.flag(ViewInterface.allowsMultipleSelection))
  }
}

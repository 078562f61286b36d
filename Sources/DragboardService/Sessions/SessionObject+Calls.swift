import DBus
import DragModel
import DragboardInterface

/// The methods of `org.dragboard.Dragboard1.DragSession`.
extension SessionObject {
  // MARK: Source side

  func add(_ item: ItemProvider, argument: String, _ call: Call) throws(DBusError) -> UInt32 {
    try checkSource(call)
    let index = session.itemCount
    try edit(argument: argument, adding: item.byteCount) { session throws(DragError) in
      try session.add(item)
    }
    item.moveToFiles(service)
    emit(DragSessionInterface.itemsAdded, UInt32(index), 1)
    return UInt32(index)
  }

  func addItem(named name: String, _ call: Call) throws(DBusError) -> UInt32 {
    let suggestedName: SuggestedName
    do throws(SuggestedNameError) { suggestedName = try SuggestedName(name) } catch {
      throw DBusError(.invalidArgs, "\(error)")
    }
    return try add(ItemProvider(suggestedName: suggestedName), argument: "suggested_name", call)
  }

  func register(
    _ item: UInt32, _ representation: Representation, argument: String, _ call: Call
  ) throws(DBusError) {
    try checkSource(call)
    try edit(argument: argument, adding: representation.content.byteCount) {
      session throws(DragError) in
      try session.register(representation, item: Int(item))
    }
    representation.moveToFile(service)
  }

  func registerPromise(
    _ item: UInt32, _ type: String, _ visibility: String, _ loader: ObjectPath, _ call: Call
  ) throws(DBusError) {
    let (type, visible) = (
      try ContentType(argument: "type", type), try Visibility(argument: visibility)
    )
    guard !loader.isReservedForLibrary else {
      throw DBusError(.invalidArgs, "loader: \(loader) is reserved; nothing can be exported there")
    }
    let promise = Promise(
      by: BusName(unchecked: call.sender), at: loader, type, item: Int(item), of: self)
    let representation = Representation(type: type, visibility: visible, content: promise)
    try register(item, representation, argument: "type", call)
  }

  func setExpectedSize(
    _ item: UInt32, _ type: String, _ bytes: UInt64, _ call: Call
  ) throws(DBusError) {
    let type = try ContentType(argument: "type", type)
    try checkSource(call)
    let representations = try self.item(item).representations
    try checkActive()
    guard let representation = representations.first(where: { $0.type == type }) else {
      throw DBusError(.noSuchRepresentation, "type: item \(item) has no representation of \(type)")
    }
    guard let promise = representation.content as? Promise else {
      throw DBusError(
        .invalidArgs, "type: \(type) of item \(item) is no promise: its bytes are there already")
    }
    promise.expectedByteCount = Int(clamping: bytes)
  }

  func cancel(_ call: Call) throws(DBusError) {
    try checkSource(call)
    willEnd()
    var conclusion: DragConclusion?
    do throws(DragError) {
      try change { session throws(DragError) in conclusion = try session.cancel() }
    } catch { throw error.answer(argument: "") }
    if let conclusion { tell(conclusion) }
  }

  func setAllowsMove(_ allowed: Bool, _ call: Call) throws(DBusError) {
    try checkSource(call)
    try edit(argument: "AllowsMove") { session throws(DragError) in
      try session.setAllowsMove(allowed)
    }
  }

  func setRestricted(_ restricted: Bool, _ call: Call) throws(DBusError) {
    try checkSource(call)
    try edit(argument: "RestrictedToApplication") { session throws(DragError) in
      try session.setRestrictedToApplication(restricted)
    }
  }

  /// Changes the session, where all sessions together have room for so many bytes more.
  ///
  /// That they have not is the last fault to be told.
  func edit(
    argument: String, adding bytes: Int = 0,
    _ body: (inout DragSession) throws(DragError) -> Void
  ) throws(DBusError) {
    do throws(DragError) {
      if service.sessions.hasRoom(for: bytes, of: sandbox) { return try change(body) }
      var attempt = session
      try body(&attempt)
    } catch { throw error.answer(argument: argument) }
    try service.sessions.checkRoom(for: bytes, of: sandbox)
  }

  // MARK: Either side

  func getTypes(_ item: UInt32, _ call: Call) throws(DBusError) -> [String] {
    try self.item(item).types(within: session.reach(of: call.caller)).map(\.mime)
  }

  func canLoad(_ type: String, _ call: Call) throws(DBusError) -> Bool {
    let query = try TypeQuery(asking: "type", type)
    do throws(DragError) {
      return try session.canLoad(query, within: session.reach(of: call.caller))
    } catch { throw error.answer(argument: "type") }
  }

  func getSuggestedName(_ item: UInt32) throws(DBusError) -> String {
    try self.item(item).suggestedName.text
  }

  func item(_ index: UInt32) throws(DBusError) -> ItemProvider {
    do throws(DragError) { return try session.item(Int(index)) } catch {
      throw error.answer(argument: "item")
    }
  }
}

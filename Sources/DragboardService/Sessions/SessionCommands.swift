import DBus
import DragModel
import DragboardInterface

/// The methods and properties of `org.dragboard.Dragboard1.DragSession` for the source, and those
/// for both source and destination.
struct SessionCommands {
  let drags: Drags

  // MARK: Items

  func addText(
    _ session: SessionEntity, _ command: Command, _ text: String
  ) throws(DBusError) -> UInt32 {
    try add(ItemProvider(plainText: text), argument: "text", to: session, command)
  }

  func addItem(
    _ session: SessionEntity, _ command: Command, _ name: String
  ) throws(DBusError) -> UInt32 {
    let attributes = ItemAttributes(name: try Label(argument: "suggested_name", name))
    return try add(
      ItemProvider(attributes: attributes), argument: "suggested_name", to: session, command)
  }

  private func add(
    _ item: ItemProvider, argument: String, to session: SessionEntity, _ command: Command
  ) throws(DBusError) -> UInt32 {
    try session.checkSource(command)
    let index = UInt32(session.session.itemCount)
    try drags.edit(session, in: command.step, argument: argument, adding: item.amount) {
      session throws(DragError) in
      try session.add(item)
    }
    drags.moveToFiles(item.representations, in: command.step)
    command.step.emit(DragSessionInterface.itemsAdded, from: session.path, index, 1)
    return index
  }

  func setExpectedSize(
    _ session: SessionEntity, _ command: Command, _ item: UInt32, _ type: String, _ bytes: UInt64
  ) throws(DBusError) {
    let type = try MIMEType(argument: "type", type)
    try session.checkSource(command)
    let representations = try session.item(item).representations
    guard let representation = representations.first(where: { $0.type == type }) else {
      throw DBusError(.noSuchRepresentation, "type: item \(item) has no representation of \(type)")
    }
    guard let promise = representation.content as? PromisedContent else {
      throw DBusError(
        .invalidArgs,
        "type: \(type) of item \(item) is not a promise (expected a type of RegisterPromise)")
    }
    try session.checkActive()
    command.step.change(session) {
      let old = promise.expectedByteCount
      return { promise.expectedByteCount = old }
    }
    promise.expectedByteCount = Int(clamping: bytes)
  }

  // MARK: The session

  func cancel(_ session: SessionEntity, _ command: Command) throws(DBusError) {
    try session.checkSource(command)
    do throws(DragError) {
      try drags.end(session, in: command.step) { session throws(DragError) in
        try session.cancel()
      }
    } catch { throw error.answer(argument: "") }
  }

  func setAllowsMove(
    _ session: SessionEntity, _ command: Command, _ allowed: Bool
  ) throws(DBusError) {
    try session.checkSource(command)
    try drags.edit(session, in: command.step, argument: "AllowsMove") {
      session throws(DragError) in
      try session.setAllowsMove(allowed)
    }
  }

  func setRestricted(
    _ session: SessionEntity, _ command: Command, _ restricted: Bool
  ) throws(DBusError) {
    try session.checkSource(command)
    try drags.edit(session, in: command.step, argument: "RestrictedToApplication") {
      session throws(DragError) in
      try session.setRestrictedToApplication(restricted)
    }
  }

  func setMachine(
    _ session: SessionEntity, _ command: Command, _ name: String
  ) throws(DBusError) {
    let machine = try Label(argument: "Machine", name)
    try session.checkSource(command)
    try drags.edit(session, in: command.step, argument: "Machine") { session throws(DragError) in
      try session.setMachine(machine)
    }
  }

  // MARK: Either side

  func getTypes(
    _ session: SessionEntity, _ command: Command, _ item: UInt32
  ) throws(DBusError) -> [String] {
    let reach = session.session.reach(of: command.caller)
    return try session.item(item).types(within: reach).map(\.mime)
  }

  func getSizes(
    _ session: SessionEntity, _ command: Command, _ item: UInt32
  ) throws(DBusError) -> [UInt64] {
    let reach = session.session.reach(of: command.caller)
    return try session.item(item).representations(within: reach).map { representation in
      let expected = (representation.content as? PromisedContent)?.expectedByteCount
      return UInt64(clamping: expected ?? representation.content.byteCount)
    }
  }

  func getPublicTypes(
    _ session: SessionEntity, _: Command, _ item: UInt32
  ) throws(DBusError) -> [String] {
    try session.item(item).types(within: .all).map(\.mime)
  }

  func canLoad(
    _ session: SessionEntity, _ command: Command, _ type: String
  ) throws(DBusError) -> Bool {
    let query = try TypeQuery(asking: "type", type)
    do throws(DragError) {
      return try session.session.canLoad(query, within: session.session.reach(of: command.caller))
    } catch { throw error.answer(argument: "type") }
  }

  func getSuggestedName(
    _ session: SessionEntity, _: Command, _ item: UInt32
  ) throws(DBusError) -> String {
    try session.item(item).attributes.name.text
  }

  func setAttributes(
    _ session: SessionEntity, _ command: Command, _ item: UInt32, _ attributes: [String: Variant]
  ) throws(DBusError) {
    // This checks the syntax before the caller and the item are checked.
    var new = ItemAttributes.none
    try new.update(with: attributes)
    try session.checkSource(command)
    new = try session.item(item).attributes
    try new.update(with: attributes)
    let added = SessionBytes.Amount(
      memory: new.textByteCount - (try session.item(item).attributes.textByteCount))
    try drags.edit(session, in: command.step, argument: "item", adding: added) {
      session throws(DragError) in
      try session.setAttributes(new, ofItem: Int(item))
    }
    command.step.emit(DragSessionInterface.itemChanged, from: session.path, item)
  }

  func getAttributes(
    _ session: SessionEntity, _: Command, _ item: UInt32
  ) throws(DBusError) -> [String: Variant] {
    try session.item(item).attributes.wire.wire
  }
}

extension SessionEntity {
  /// Returns the item at an index.
  ///
  /// - Throws: NoSuchItem if there is no item at the index; SessionEnded if the session has ended.
  func item(_ index: UInt32) throws(DBusError) -> ItemProvider {
    do throws(DragError) { return try session.item(Int(index)) } catch {
      throw error.answer(argument: "item")
    }
  }
}

extension Drags {
  /// Changes a session if the added bytes and memory are within the limits of all sessions.
  ///
  /// An error of `body` takes precedence over an exceeded limit.
  func edit(
    _ session: SessionEntity, in step: Step, argument: String,
    adding amount: SessionBytes.Amount = SessionBytes.Amount(),
    _ body: (inout DragSession) throws(DragError) -> Void
  ) throws(DBusError) {
    do throws(DragError) {
      if sessions.budget.hasRoom(for: amount, of: session.sandbox) {
        return try session.change(in: step, body)
      }
      var attempt = session.session
      try body(&attempt)
    } catch { throw error.answer(argument: argument) }
    try sessions.budget.checkRoom(for: amount, of: session.sandbox)
  }

  /// Moves large contents from memory to files.
  func moveToFiles(_ representations: [Representation], in step: Step) {
    let large = representations.compactMap { $0.content as? ReadyContent }.filter(\.isLarge)
    guard !large.isEmpty else { return }
    step.afterCommit { [scheduler, promises] in
      for content in large { content.moveToFile(scheduler, promises.contents) }
    }
  }
}

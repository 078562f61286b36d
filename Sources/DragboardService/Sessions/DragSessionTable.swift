import DBus
import DragModel
import DragboardInterface

/// The interface of a drag session, member by member.
enum DragSessionTable {
  static func table() -> InterfaceTable<SessionObject> {
    var table = InterfaceTable<SessionObject>(DragSessionInterface.name)
    addSourceSide(to: &table)
    addEitherSide(to: &table)
    addDestinationSide(to: &table)
    addProperties(to: &table)
    table.signal(DragSessionInterface.didUpdate)
    table.signal(DragSessionInterface.didExit)
    table.signal(DragSessionInterface.itemsAdded)
    table.signal(DragSessionInterface.willEnd)
    table.signal(DragSessionInterface.didTransferItems)
    table.signal(DragSessionInterface.didEnd)
    return table
  }

  private static func addSourceSide(to table: inout InterfaceTable<SessionObject>) {
    table.method(DragSessionInterface.addText) { (session, call, text) throws(DBusError) in
      try session.add(ItemProvider(plainText: text), argument: "text", call)
    }
    table.method(DragSessionInterface.addItem) { (session, call, name) throws(DBusError) in
      try session.addItem(named: name, call)
    }
    table.method(DragSessionInterface.registerText) {
      (session, call, item, text) throws(DBusError) in
      try session.register(item, .plainText(text), argument: "text", call)
    }
    table.deferredMethod(DragSessionInterface.registerData) {
      (session, call, reply, item, type, visibility, data) throws(DBusError) in
      try session.registerData(item, type, visibility, data, call, reply)
    }
    table.deferredMethod(DragSessionInterface.registerFile) {
      (session, call, reply, item, type, visibility, file) throws(DBusError) in
      try session.registerFile(item, type, visibility, file, call, reply)
    }
    table.method(DragSessionInterface.registerPromise) {
      (session, call, item, type, visibility, loader) throws(DBusError) in
      try session.registerPromise(item, type, visibility, loader, call)
    }
    table.method(DragSessionInterface.setExpectedSize) {
      (session, call, item, type, bytes) throws(DBusError) in
      try session.setExpectedSize(item, type, bytes, call)
    }
    table.method(DragSessionInterface.cancel) { (session, call) throws(DBusError) in
      try session.cancel(call)
    }
  }

  private static func addEitherSide(to table: inout InterfaceTable<SessionObject>) {
    table.method(DragSessionInterface.getTypes) { (session, call, item) throws(DBusError) in
      try session.getTypes(item, call)
    }
    table.method(DragSessionInterface.canLoad) { (session, call, type) throws(DBusError) in
      try session.canLoad(type, call)
    }
    table.method(DragSessionInterface.getSuggestedName) { (session, _, item) throws(DBusError) in
      try session.getSuggestedName(item)
    }
  }

  private static func addDestinationSide(to table: inout InterfaceTable<SessionObject>) {
    table.method(DragSessionInterface.accept) {
      (session, call, application, operation) throws(DBusError) in
      try session.accept(operation, as: application, call)
    }
    table.deferredMethod(DragSessionInterface.loadText) {
      (session, call, reply, item) throws(DBusError) in
      try session.loadText(item, call, reply)
    }
    table.deferredMethod(DragSessionInterface.loadData) {
      (session, call, reply, item, type) throws(DBusError) in
      try session.loadData(item, type, call, reply)
    }
    table.deferredMethod(DragSessionInterface.loadFile) {
      (session, call, reply, item, type) throws(DBusError) in
      try session.loadFile(item, type, call, reply)
    }
    table.method(DragSessionInterface.finish) { (session, call) throws(DBusError) in
      try session.finish(call)
    }
  }

  private static func addProperties(to table: inout InterfaceTable<SessionObject>) {
    table.property(DragSessionInterface.application) { $0.application }
    table.property(DragSessionInterface.state) { $0.session.state.name }
    table.property(DragSessionInterface.operation) { $0.operation }
    table.property(DragSessionInterface.itemCount) { UInt32($0.session.itemCount) }
    table.property(DragSessionInterface.sourceBoard) { $0.sourceBoard }
    table.property(DragSessionInterface.sourceRows) { $0.sourceRows }
    table.property(
      DragSessionInterface.allowsMove, get: { $0.session.allowsMove },
      set: { (session, call, value) throws(DBusError) in
        try session.setAllowsMove(value, call)
      })
    table.property(
      DragSessionInterface.restrictedToApplication, get: { $0.session.isRestrictedToApplication },
      set: { (session, call, value) throws(DBusError) in
        try session.setRestricted(value, call)
      })
    table.property(DragSessionInterface.progress) { $0.progress }
  }
}

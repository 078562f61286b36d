import DBus
import DragModel
import DragboardInterface

/// The root object: where drags begin and boards are made.
final class ManagerObject {
  private unowned let service: Service

  init(_ service: Service) { self.service = service }

  static func table() -> InterfaceTable<ManagerObject> {
    var table = InterfaceTable<ManagerObject>(ManagerInterface.name)
    addDrags(to: &table)
    addBoards(to: &table)
    addProperties(to: &table)
    table.signal(ManagerInterface.dragBegan)
    table.signal(ManagerInterface.dragEnded)
    return table
  }

  private static func addDrags(to table: inout InterfaceTable<ManagerObject>) {
    table.method(ManagerInterface.beginDrag) { (manager, call, application) throws(DBusError) in
      let service = manager.service
      let source = try service.application(application, of: call)
      return try service.sessions.begin(
        DragSession(source: source, limits: service.limits.ofSessions), by: call.access
      ).path
    }
    table.method(
      ManagerInterface.beginTextDrag,
      checking: { (manager, call) throws(DBusError) in
        let most = manager.service.limits.maxItems
        guard call.elementCount(ofArgument: 1, upTo: most) <= most else {
          throw .limit("texts: max-items", most)
        }
      }
    ) {
      (manager, call, application, texts) throws(DBusError) in
      let service = manager.service
      var session = DragSession(
        source: try service.application(application, of: call), limits: service.limits.ofSessions)
      do throws(DragError) { try session.add(texts.map(ItemProvider.init(plainText:))) } catch {
        throw error.answer(argument: "texts")
      }
      let begun = try service.sessions.begin(session, by: call.access)
      for item in session.items { item.moveToFiles(service) }
      return begun.path
    }
  }

  private static func addBoards(to table: inout InterfaceTable<ManagerObject>) {
    table.method(ManagerInterface.createBoard) { (manager, call, name) throws(DBusError) in
      try manager.service.boards.create(name, by: call.access).path
    }
    table.method(ManagerInterface.getBoard) { (manager, _, name) throws(DBusError) in
      try manager.service.boards.find(name).path
    }
    table.method(ManagerInterface.renameBoard) {
      (manager, call, name, newName) throws(DBusError) in
      try manager.service.boards.rename(name, to: newName, by: call.access)
    }
    table.method(ManagerInterface.deleteBoard) { (manager, call, name) throws(DBusError) in
      try manager.service.boards.delete(name, by: call.access)
    }
  }

  private static func addProperties(to table: inout InterfaceTable<ManagerObject>) {
    table.property(ManagerInterface.version) { _ in Dragboard.version }
    table.property(ManagerInterface.boards) { $0.service.boards.paths }
    table.property(ManagerInterface.sessions) { $0.service.sessions.activePaths }
    table.property(ManagerInterface.dragging) { !$0.service.sessions.activePaths.isEmpty }
  }
}

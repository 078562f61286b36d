import DBus
import DragModel
import DragboardInterface
import DragboardStore

/// The methods and properties of `org.dragboard.Dragboard1.Manager` on the root object.
final class ManagerCommands {
  private let boards: Boards
  private let drags: Drags
  private let limits: Limits

  init(_ boards: Boards, _ drags: Drags, limits: Limits) {
    (self.boards, self.drags, self.limits) = (boards, drags, limits)
  }

  func table(
    _ context: @escaping (Call) -> Command
  ) -> InterfaceTable<ManagerCommands, Command> {
    var table = InterfaceTable<ManagerCommands, Command>(ManagerInterface.name, context: context)
    table.method(ManagerInterface.beginDrag) { (manager, command, application) throws(DBusError) in
      try manager.beginDrag(command, application)
    }
    table.method(
      ManagerInterface.beginTextDrag,
      checking: ListCheck.atMost(limits.maxItems, ofArgument: 1, "texts: max-items")
    ) {
      (manager, command, application, texts) throws(DBusError) in
      try manager.beginTextDrag(command, application, texts)
    }
    table.method(ManagerInterface.createBoard) { (manager, command, name) throws(DBusError) in
      try manager.boards.create(name, by: command).path
    }
    table.method(ManagerInterface.getBoard) { (manager, _, name) throws(DBusError) in
      try manager.boards.find(name).path
    }
    table.method(ManagerInterface.renameBoard) {
      (manager, command, name, newName) throws(DBusError) in
      try manager.boards.rename(name, to: newName, by: command)
    }
    table.method(ManagerInterface.deleteBoard) { (manager, command, name) throws(DBusError) in
      try manager.boards.delete(name, by: command)
    }
    table.method(ManagerInterface.discardBoard) {
      (manager, command, name, base) throws(DBusError) in
      try manager.boards.discard(name, base: base, by: command)
    }
    table.method(ManagerInterface.restoreBoard) { (manager, command, name) throws(DBusError) in
      try manager.boards.restore(name, by: command).path
    }
    table.method(ManagerInterface.getDeletedBoards) { (manager, command) throws(DBusError) in
      try manager.boards.restorable(for: command).map {
        Structure($0.header.name, UInt32(clamping: $0.rowCount), $0.time)
      }
    }
    table.property(ManagerInterface.version) { _ in Dragboard.version }
    table.property(ManagerInterface.limits) { $0.limits.byName }
    table.property(ManagerInterface.boards) { $0.boards.paths }
    table.property(ManagerInterface.sessions) { $0.drags.sessions.activePaths }
    table.property(ManagerInterface.dragging) { !$0.drags.sessions.active.isEmpty }
    table.signal(ManagerInterface.dragBegan)
    table.signal(ManagerInterface.dragEnded)
    return table
  }

  private func beginDrag(
    _ command: Command, _ application: String
  ) throws(DBusError) -> ObjectPath {
    let source = try command.application(application)
    return try drags.begin(DragSession(source: source, limits: limits.ofSessions), by: command).path
  }

  private func beginTextDrag(
    _ command: Command, _ application: String, _ texts: [String]
  ) throws(DBusError) -> ObjectPath {
    var session = DragSession(
      source: try command.application(application), limits: limits.ofSessions)
    do throws(DragError) { try session.add(texts.map(ItemProvider.init(plainText:))) } catch {
      throw error.answer(argument: "texts")
    }
    let path = try drags.begin(session, by: command).path
    drags.moveToFiles(session.items.flatMap(\.representations), in: command.step)
    return path
  }
}

import BoardModel
import DBus
import DragModel
import DragboardInterface
import DragboardStore

/// The interfaces of a board, which bind each member to the function that implements it.
struct BoardTables {
  typealias Table = InterfaceTable<BoardEntity, Command>

  let context: (Call) -> Command
  let reads: BoardReads
  let searches: BoardSearches
  let insertions: BoardInsertions
  let edits: BoardEdits
  let settings: BoardAdministration
  let arrangements: BoardArrangements
  let undo: BoardUndo
  let sharing: BoardSharing
  let drags: BoardDrags
  let views: Views
  let limits: Limits

  /// The tables of all interfaces of a board.
  func all() -> [Table] { [board(), dragSource(), dropTarget(), viewing()] }

  /// Returns a check that refuses a list with too many elements for one call.
  private static func list(
    _ index: Int, _ argument: String, max: Int = BoardInterface.maxListCount
  ) -> ListCheck.Check<BoardEntity> {
    ListCheck.atMost(
      max, ofArgument: index, "\(argument): the maximum number of elements in a call")
  }

  private func board() -> Table {
    var table = Table(BoardInterface.name, context: context)
    addReads(to: &table)
    addEdits(to: &table)
    addSettings(to: &table)
    addProperties(to: &table)
    table.signal(BoardInterface.changed)
    return table
  }

  private func addReads(to table: inout Table) {
    table.deferredMethod(BoardInterface.getRows, reads.getRows)
    table.deferredMethod(BoardInterface.getTexts, reads.getTexts)
    table.method(BoardInterface.getIndexPath, reads.getIndexPath)
    table.method(BoardInterface.getTypes, reads.getTypes)
    table.deferredMethod(BoardInterface.getText, reads.getText)
    table.deferredMethod(BoardInterface.getData, reads.getData)
    table.deferredMethod(BoardInterface.getFile, reads.getFile)
    table.deferredMethod(BoardInterface.search, searches.search)
    table.deferredMethod(BoardInterface.findRows, searches.findRows)
    table.writtenMethod(BoardInterface.getSnapshot, reads.getSnapshot)
    table.method(BoardInterface.getChanges, undo.getChanges)
    table.method(BoardInterface.getHistory, undo.getHistory)
  }

  private func addEdits(to table: inout Table) {
    table.deferredMethod(BoardInterface.insertText, insertions.insertText)
    table.deferredMethod(
      BoardInterface.insertTexts, checking: Self.list(2, "texts"), insertions.insertTexts)
    table.deferredMethod(BoardInterface.insertData, insertions.insertData)
    table.deferredMethod(BoardInterface.insertFile, insertions.insertFile)
    table.deferredMethod(
      BoardInterface.insertItem,
      checking: { (board, call) throws(DBusError) in
        try ListCheck.attributes(ofArgument: 2)(board, call)
        try Self.list(3, "representations", max: ItemProvider.maxRepresentations)(board, call)
      },
      insertions.insertItem)
    table.deferredMethod(BoardInterface.setText, edits.setText)
    table.deferredMethod(BoardInterface.replaceText, edits.replaceText)
    table.method(BoardInterface.setItemName, edits.setItemName)
    table.method(
      BoardInterface.stackItems,
      checking: Self.list(0, "items", max: BoardInterface.maxStackCount), edits.stackItems)
    table.method(BoardInterface.setEditable, edits.setEditable)
    table.method(BoardInterface.setMovable, edits.setMovable)
    table.method(BoardInterface.setPinned, edits.setPinned)
    table.method(BoardInterface.moveRow, edits.moveRow)
    table.method(
      BoardInterface.moveItems, checking: ListCheck.rows(ofArgument: 0, Self.list(0, "items")),
      edits.moveItems)
    table.method(BoardInterface.deleteRow, edits.deleteRow)
    table.method(
      BoardInterface.deleteItems, checking: ListCheck.rows(ofArgument: 0, Self.list(0, "items")),
      edits.deleteItems)
    table.method(BoardInterface.clear, edits.clear)
    table.method(BoardInterface.erase, edits.erase)
    table.method(
      BoardInterface.applySnapshot,
      checking: ListCheck.governing(
        ofArgument: 1, Self.list(1, "sections", max: limits.maxRows + limits.maxSections)),
      arrangements.applySnapshot)
    table.method(
      BoardInterface.applyOrder,
      checking: ListCheck.governing(
        ofArgument: 2, Self.list(2, "items", max: limits.maxRows)),
      arrangements.applyOrder)
    table.method(BoardInterface.reserveItems, sharing.reserveItems)
    table.deferredMethod(
      BoardInterface.applyEdits,
      checking: ListCheck.governing(
        ofArgument: 1, Self.list(1, "edits", max: BoardSharing.maxElements)),
      sharing.applyEdits)
    table.method(BoardInterface.undo, undo.undo)
    table.method(BoardInterface.redo, undo.redo)
  }

  private func addSettings(to table: inout Table) {
    table.method(BoardInterface.insertSection, settings.insertSection)
    table.method(BoardInterface.renameSection, settings.renameSection)
    table.method(BoardInterface.moveSection, settings.moveSection)
    table.method(BoardInterface.deleteSection, settings.deleteSection)
    table.method(
      BoardInterface.setAcceptedTypes,
      checking: Self.list(0, "types", max: BoardAdministration.maxNamedTypes),
      settings.setAcceptedTypes)
  }

  private func addProperties(to table: inout Table) {
    table.property(BoardInterface.boardName) { $0.header.name }
    table.property(BoardInterface.revision) { $0.board.revision }
    table.property(BoardInterface.count) { UInt32($0.rowCount) }
    table.property(BoardInterface.sections) { $0.board.sectionNames }
    table.property(BoardInterface.acceptedTypes) { $0.header.acceptedTypes }
    table.property(
      BoardInterface.maxRows, get: { $0.header.maxRows }, set: settings.setMaxRows)
    table.property(
      BoardInterface.movesMultipleRows, get: { $0.header.movesMultipleRows },
      set: settings.setMovesMultipleRows)
    table.property(
      BoardInterface.retainRows, get: { $0.header.retainRows }, set: settings.setRetainRows)
    table.property(
      BoardInterface.retainSeconds, get: { $0.header.retainSeconds },
      set: settings.setRetainSeconds)
    table.property(
      BoardInterface.movesDuplicates, get: { $0.header.movesDuplicates },
      set: settings.setMovesDuplicates)
    table.property(BoardInterface.hasActiveDrag) { [sessions = drags.sessions] board in
      sessions.dragCount(of: board.key) > 0
    }
  }

  private func dragSource() -> Table {
    var table = Table(DragSourceInterface.name, context: context)
    table.method(
      DragSourceInterface.beginDrag,
      checking: ListCheck.rows(
        ofArgument: 1, ListCheck.atMost(limits.maxItems, ofArgument: 1, "items: max-items")),
      drags.beginDrag)
    table.method(DragSourceInterface.beginRowDrag, drags.beginRowDrag)
    return table
  }

  private func dropTarget() -> Table {
    var table = Table(DropTargetInterface.name, context: context)
    table.method(DropTargetInterface.canHandle, drags.canHandle)
    table.method(DropTargetInterface.proposeDrop, drags.proposeDrop)
    table.method(DropTargetInterface.exitDrop, drags.exitDrop)
    table.deferredMethod(DropTargetInterface.performDrop, drags.performDrop)
    table.signal(DropTargetInterface.dropPending)
    table.signal(DropTargetInterface.dropPerformed)
    return table
  }

  private func viewing() -> Table {
    var table = Table(ViewsInterface.name, context: context)
    table.method(ViewsInterface.openView, views.openView)
    return table
  }
}

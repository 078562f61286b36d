import BoardModel
import DBus
import DragModel
import DragboardInterface

/// One drop of a session on a board, by a proposal that has just been made.
struct Drop {
  private let session: SessionObject
  private let board: BoardObject
  private let proposal: DropProposal
  private let service: Service

  init(of session: SessionObject, on board: BoardObject, _ proposal: DropProposal) {
    self.session = session
    self.board = board
    self.proposal = proposal
    service = board.service
  }

  /// Does what the proposal says, ends the session, and gives the rows that were inserted or moved.
  ///
  /// - Throws: IOError; then board and session are as they were.
  func perform() throws(DBusError) -> [RowID] {
    let plan = CopyPlan(session.session, accepting: board.acceptedTypes)
    let items = session.session.items
    var start: DropStart?
    service.batch.open()
    do throws(DragError) {
      try session.change { session throws(DragError) in start = try session.beginDrop(proposal) }
    } catch { throw error.answer(argument: "session") }
    switch start {
    case .conclude(let conclusion)?: session.tell(conclusion)
    case .perform?:
      service.batch.enlist(board)
      session.emit(DragSessionInterface.willEnd, proposal.operation.rawValue)
      let copies = proposal.operation == .copy
      let rows = try copies ? insert(plan) : move(items.compactMap(\.row))
      conclude(rows, loaded: copies ? plan.items.map(\.index) : Array(items.indices))
      return rows
    case nil: break
    }
    return []
  }

  /// The move-row path: ids stay, nothing is loaded.
  private func move(_ rows: [RowID]) throws(DBusError) -> [RowID] {
    try board.edit { model throws(BoardError) in
      try model.move(
        rows, toSection: proposal.destination.section, row: proposal.destination.row)
    }
    return rows
  }

  private func insert(_ plan: CopyPlan) throws(DBusError) -> [RowID] {
    let contents = try service.batch.write { () throws(RepositoryError) in
      try plan.items.map { item throws(RepositoryError) in try content(of: item) }
    }
    return try board.insert(contents, at: proposal.destination)
  }

  /// What an item becomes as a row.
  private func content(of item: CopyPlan.Item) throws(RepositoryError) -> RowContent {
    var representations: [RowContent.Representation] = []
    for representation in item.representations {
      guard let content = representation.content as? any LoadableContent else { continue }
      representations.append(
        RowContent.Representation(type: representation.type, data: try content.bytes()))
    }
    return RowContent(
      created: service.now(), source: session.application, name: item.suggestedName.text,
      preview: representations.lazy.map(\.preview).first { !$0.isEmpty } ?? "",
      representations: representations)
  }

  private func conclude(_ rows: [RowID], loaded: [Int]) {
    session.didLoadAll()
    var conclusion: DragConclusion?
    session.change { conclusion = $0.endDrop(succeeded: true) }
    if let conclusion { session.tell(conclusion, loaded: loaded) }
    service.connection.emit(
      DropTargetInterface.dropPerformed, from: board.path, session.path,
      proposal.operation.rawValue, rows.map(service.ids.id))
  }
}

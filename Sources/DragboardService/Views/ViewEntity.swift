import BoardModel
import DBus
import DragModel
import DragboardInterface

/// A view of a board on the bus, with one client's edit mode and selection.
final class ViewEntity: Entity {
  /// The number of the view.
  ///
  /// Later views have higher numbers.
  let number: UInt64
  let path: ObjectPath
  let board: BoardEntity
  let application: Application
  /// The sandbox of the client that opened the view; nil without a sandbox.
  let sandbox: String?
  /// The watch of the connection whose departure closes the view.
  var departure: PeerWatch.Token?
  private(set) var state = ViewState()
  /// The values in the latest report by PropertiesChanged.
  private var reported = Appearance()

  init(
    _ number: UInt64, of board: BoardEntity, for application: Application, sandbox: String?
  ) {
    self.sandbox = sandbox
    (self.number, self.board, self.application) = (number, board, application)
    path = Dragboard.viewPath(number)
  }

  var selection: [String] { state.selection.map(board.ids.id) }

  /// The id of the row that Commit would select; "" for none.
  var pending: String { id(of: state.pending(on: board.board)) }

  /// Returns the id of a row; "" for nil.
  func id(of row: RowID?) -> String { row.map(board.ids.id) ?? "" }

  /// Adjusts the view to an edit of the board.
  func follow(_ revision: Revision, in step: Step) {
    change(in: step) { $0.follow(revision, on: $1) }
  }

  /// Changes the state, and records which properties have changed.
  func change<Outcome, Failure: Error>(
    in step: Step, _ body: (inout ViewState, Board) throws(Failure) -> Outcome
  ) throws(Failure) -> Outcome {
    step.read(board)
    step.read(self)
    var new = state
    let outcome = try body(&new, board.board)
    let appearance = Appearance(new, pending: new.pending(on: board.board))
    // The pending row depends on the board's rows, so it can change even if the state is the same.
    guard new != state || appearance != reported else { return outcome }
    step.change(self) {
      let (old, oldReported) = (state, reported)
      return { [self] in (state, reported) = (old, oldReported) }
    }
    state = new
    noteChanges(to: appearance, in: step)
    return outcome
  }

  /// The properties of a view that can change.
  private struct Appearance: Equatable {
    var isEditing = false
    var allowsMultipleSelection = false
    var selection: [RowID] = []
    var pending: RowID?

    init() {}

    init(_ state: ViewState, pending: RowID?) {
      isEditing = state.isEditing
      allowsMultipleSelection = state.allowsMultipleSelection
      selection = state.selection
      self.pending = pending
    }
  }

  private func noteChanges(to new: Appearance, in step: Step) {
    let old = reported
    reported = new
    if old.isEditing != new.isEditing { step.noteChange(of: ViewInterface.editing, at: path) }
    if old.selection != new.selection { step.noteChange(of: ViewInterface.selection, at: path) }
    if old.pending != new.pending { step.noteChange(of: ViewInterface.pending, at: path) }
    if old.allowsMultipleSelection != new.allowsMultipleSelection {
      step.noteChange(of: ViewInterface.allowsMultipleSelection, at: path)
    }
  }
}

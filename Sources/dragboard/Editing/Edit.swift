import ArgumentParser
import DragboardClient

/// `dragboard edit`.
struct Edit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Edit the text of a row in your editor.",
    discussion: """
      The editor is $VISUAL, $EDITOR or vi. The row loses all types except plain text. A row without text, such as a \
      picture, can only be replaced with --force. After an error, the edited text stays in a file, whose path is printed; on a \
      terminal, you can open the editor again. If another client changes the row meanwhile, nothing is stored, and the \
      exit code is 77.

      EXAMPLES:
        dragboard edit 3
        dragboard edit 3 --text 'Call the garage on Monday'
      """)

  @Argument(help: .row)
  var row: RowName
  @Option(help: ArgumentHelp("The new text; no editor is opened.", valueName: "text"))
  var text: String?
  @Flag(help: "Replace the row even if it has no text.")
  var force = false
  @OptionGroup var board: BoardOptions
  @OptionGroup var notice: NoticeOptions
  @OptionGroup var connection: ConnectionOptions

  /// Returns this call with `--force` and the id of the row.
  private func forcedCall(_ item: ItemID) -> SuggestedCall {
    let texts = text.map { [SuggestedCall.Option("--text", $0)] } ?? []
    return SuggestedCall("edit", ["\(item)"], texts + ["--force"])
  }

  func run() throws {
    try runEdit(on: connection, board, having: [row], notice) { board in
      let item = try await RowFinder(board).item(row)
      let types = try await board.types(of: item)
      guard force || types.contains(where: \.isPlainText) else {
        throw CommandError(
          .refused, "\(row.text): is not text (\(types.map(\.rawValue).joined(separator: ", ")))",
          remedy: "To replace it by a text: \(forcedCall(item))")
      }
      if let text {
        try await board.setText(of: item, to: text)
      } else {
        try await edit(try await RowFinder(board).row(item), on: board)
      }
    }
  }

  /// Opens the editor, and stores the text if it was changed.
  private func edit(_ row: Row, on board: Board) async throws {
    guard row.isEditable else {
      throw CommandError(DragboardError(.notEditable, "the row \(row.id) is locked"))
    }
    let old = try await State(of: row, on: board)
    let text = old.text ?? ""
    var expected = old
    try await Editor.edit(text, named: "row.txt") { edited in
      // Most editors append a line feed to a text that does not end with one. So an added line feed
      // is removed.
      let new =
        text.hasSuffix("\n") || !edited.hasSuffix("\n") ? edited : String(edited.dropLast())
      guard new != text else { return }
      try await replace(row.id, by: new, on: board, expecting: &expected)
    }
  }

  /// Replaces the text of a row, unless the row differs from `expected`.
  ///
  /// The daemon refuses the text if the board has changed since the row was compared. Another client may
  /// have changed other rows, so the row is then compared again.
  private func replace(
    _ item: ItemID, by text: String, on board: Board, expecting expected: inout State
  ) async throws {
    for attempt in 1... {
      let revision = try await board.info().revision
      let present = try await State(of: try await RowFinder(board).row(item), on: board)
      guard present == expected else {
        // If the user edits the text again, the other change is known, and may be replaced.
        expected = present
        throw CommandError(
          .refused, "another client has changed the row meanwhile; nothing was stored",
          remedy: "To show its text: \(SuggestedCall("show", ["\(item)"]))")
      }
      do throws(DragboardError) {
        try await board.replaceText(of: item, by: text, base: revision)
        return
      } catch {
        guard error.reason == .staleRevision, attempt < Self.maxAttemptCount else { throw error }
      }
    }
  }

  /// The maximum number of comparisons with a board that other clients edit all the time.
  private static let maxAttemptCount = 1_000
}

/// The content of a row, to find changes of other clients.
private struct State: Equatable {
  private let types: [ContentType]
  private let byteCount: Int
  /// The text; nil if the row has no text.
  let text: String?

  init(of row: Row, on board: Board) async throws(DragboardError) {
    (types, byteCount) = (row.types, row.byteCount)
    text = types.contains(where: \.isPlainText) ? try await board.text(of: row.id) : nil
  }
}

extension ContentType {
  fileprivate var isPlainText: Bool { rawValue.hasPrefix("text/plain") }
}

import DBus
import DragboardInterface

/// The bridge between the clipboard of the display and the board "clipboard".
///
/// The bridge is the program `dragboard-clipboard`. If it does not run, every call except
/// ``board()`` fails with `noClipboard`.
public struct ClipboardBridge: Sendable {
  /// The name of the board whose rows are copies.
  ///
  /// The bridge stores the latest copy as the first row. Every client can insert rows, too, so the
  /// first row is not always the latest copy.
  public static let boardName = ClipboardInterface.boardName
  /// The name of the board whose rows are selected texts, if the bridge stores them.
  public static let selectionBoardName = ClipboardInterface.selectionBoardName
  /// The source of rows whose content came from the clipboard; it gives no client rights.
  public static let rowSource = ClipboardInterface.rowSource

  let connection: DragboardConnection

  /// The user's permission to press the keys that paste.
  public enum PastePermission: String, Hashable, Sendable {
    /// The display requires none.
    case notNeeded = "not-needed"
    /// The display requires one, and the user has not granted it.
    case missing
    /// The user has granted it.
    case granted
  }

  /// The state of the bridge.
  public struct Info: Hashable, Sendable {
    /// The clipboard access method: `x11`, `mutter`, or the name of a Wayland protocol.
    public let backend: String
    /// Whether recording is paused, so that no copies are stored.
    public let isPaused: Bool
    /// Whether recording also pauses while the screen is locked.
    public let pausesWhileLocked: Bool
    /// Whether selected text is stored, too.
    public let storesSelections: Bool
    /// The patterns of programs whose copies are not stored.
    public let excludedApplications: [String]
    /// The patterns of titles of windows from which copies are not stored.
    public let excludedWindows: [String]
    /// The patterns of excluded types.
    ///
    /// A copy that has one of them is not stored.
    public let excludedTypes: [String]
    /// The means by which the bridge learns the application of a copy: `x11`, `foreign-toplevel`,
    /// `kwin-script` or `gnome-extension`; nil if there is none, so that programs and windows cannot be
    /// excluded.
    public let applicationReports: String?
    /// The means by which the bridge pastes: `xtest`, `virtual-keyboard`, `gnome-extension` or `portal`; nil if
    /// there is none.
    public let pasteMeans: String?
    /// Whether the desktop requires the user's permission to paste.
    public let pastePermission: PastePermission
    /// The names of the applications that have copied or had the focus lately, the latest first.
    public let recentApplications: [String]
  }

  /// Returns the board of copies.
  ///
  /// Creates it if it does not exist.
  ///
  /// A new board retains 1,000 rows and moves duplicates.
  public func board() async throws(DragboardError) -> Board {
    try await board(named: Self.boardName)
  }

  /// Returns the board of selected texts.
  ///
  /// Creates it if it does not exist, like ``board()``.
  public func selectionBoard() async throws(DragboardError) -> Board {
    try await board(named: Self.selectionBoardName)
  }

  private func board(named name: String) async throws(DragboardError) -> Board {
    do throws(DragboardError) { return try await connection.board(named: name) } catch
      where error.reason == .noSuchBoard
    {
      let board = try await connection.createBoard(named: name)
      try await board.settings.setRetainedRows(1_000)
      try await board.settings.setMovesDuplicates(true)
      return board
    }
  }

  /// Returns the state of the bridge.
  public func info() async throws(DragboardError) -> Info {
    do throws(DragboardError) {
      return try Info(
        await connection.properties(
          of: ClipboardInterface.name, at: ClipboardInterface.path, from: ClipboardInterface.busName
        ))
    } catch { throw Self.explained(error) }
  }

  /// Copies a row with all its types to the clipboard.
  ///
  /// - Throws: `noSuchBoard`, `noSuchItem`.
  public func copy(_ item: ItemID, of board: Board) async throws(DragboardError) {
    try await call(ClipboardInterface.copy, board.objectPath, item.description)
  }

  /// The outcome of a paste.
  public enum PasteOutcome: Hashable, Sendable {
    /// The row is on the clipboard, and the keys that paste were pressed in the remembered window.
    case pasted
    /// The row is on the clipboard, and no key was pressed; the reason is a sentence for the user.
    case copied(reason: String)
    /// Nothing was done, because the text could run commands in a terminal. The same call with the
    /// confirmation pastes it. The reason is a sentence for the user.
    case needsConfirmation(reason: String)
  }

  /// Remembers the window that has the keyboard focus, for the next call of ``paste(_:of:asPlainText:isConfirmed:)``.
  ///
  /// A picker calls this before it shows its window.
  public func preparePaste() async throws(DragboardError) {
    try await call(ClipboardInterface.preparePaste)
  }

  /// Copies a row to the clipboard, and pastes it into the remembered window.
  ///
  /// A picker first hides its window.
  ///
  /// - Parameters:
  ///   - item: the row.
  ///   - board: its board.
  ///   - asPlainText: whether only the plain text is pasted.
  ///   - isConfirmed: whether the user has confirmed a text that could run commands in a terminal.
  /// - Returns: the outcome.
  /// - Throws: `noSuchBoard`, `noSuchItem`; `invalidArguments` if the row has no plain text.
  @concurrent public func paste(
    _ item: ItemID, of board: Board, asPlainText: Bool = false, isConfirmed: Bool = false
  ) async throws(DragboardError) -> PasteOutcome {
    let options = [
      "plain": Variant(.boolean(asPlainText)), "confirmed": Variant(.boolean(isConfirmed)),
    ]
    do throws(DragboardError) {
      let (outcome, reason) = try await connection.reply(
        to: ClipboardInterface.paste, at: ClipboardInterface.path, of: ClipboardInterface.busName,
        board.objectPath, item.description, options
      ).values
      return switch outcome {
      case "pasted": .pasted
      case "confirm": .needsConfirmation(reason: reason)
      default: .copied(reason: reason)
      }
    } catch { throw Self.explained(error) }
  }

  /// Lets the desktop ask the user for the permission to paste, and waits for the answer.
  ///
  /// Without effect if the permission is not needed, or if the user has granted it. A program first explains the
  /// question of the desktop to the user.
  ///
  /// - Throws: `other` if the user refuses, or if the desktop lets no program paste; the message is a sentence for
  ///   the user.
  @concurrent public func allowPasting() async throws(DragboardError) {
    do throws(DragboardError) {
      _ = try await connection.reply(
        to: ClipboardInterface.allowPasting, at: ClipboardInterface.path,
        of: ClipboardInterface.busName, timeout: DragboardConnection.unlimited)
    } catch { throw Self.explained(error) }
  }

  /// Revokes the permission to paste.
  public func forbidPasting() async throws(DragboardError) {
    try await call(ClipboardInterface.forbidPasting)
  }

  /// Stops storing copies for a time in whole seconds; nil stops until ``resume()`` is called.
  ///
  /// - Throws: `invalidArguments` if the time is not positive, or too long.
  public func pause(for time: Duration? = nil) async throws(DragboardError) {
    guard let seconds = UInt32(exactly: time?.components.seconds ?? 0), time == nil || seconds > 0
    else {
      throw DragboardError(.invalidArguments, "time: out of range (1…\(UInt32.max) seconds)")
    }
    try await call(ClipboardInterface.pause, seconds)
  }

  /// Stores copies again.
  public func resume() async throws(DragboardError) { try await call(ClipboardInterface.resume) }

  /// Sets whether recording pauses while the screen is locked.
  ///
  /// - Throws: `inputOutput`.
  public func setPausesWhileLocked(_ pausesWhileLocked: Bool) async throws(DragboardError) {
    try await set(ClipboardInterface.pausesWhileLocked, to: pausesWhileLocked)
  }

  /// Sets whether selected text becomes rows of the board "selections".
  ///
  /// - Throws: `inputOutput`; `other` if the desktop reports selected text to no program.
  public func setStoresSelections(_ storesSelections: Bool) async throws(DragboardError) {
    try await set(ClipboardInterface.storesSelections, to: storesSelections)
  }

  /// Erases the rows of the board, and its undo history.
  ///
  /// If the bridge owns the clipboard, also clears the clipboard.
  ///
  /// - Parameter includingPinned: whether pinned rows are erased, too.
  /// - Throws: `noClipboard`, `accessDenied`.
  public func clear(includingPinned: Bool = false) async throws(DragboardError) {
    try await call(ClipboardInterface.clear, includingPinned)
  }

  /// Sets the patterns of programs whose copies are not stored.
  ///
  /// - Throws: `invalidArguments`, `inputOutput`.
  public func setExcludedApplications(_ patterns: [String]) async throws(DragboardError) {
    try await set(ClipboardInterface.excludedApplications, to: patterns)
  }

  /// Sets the patterns of titles of windows from which copies are not stored.
  ///
  /// - Throws: `invalidArguments`, `inputOutput`.
  public func setExcludedWindows(_ patterns: [String]) async throws(DragboardError) {
    try await set(ClipboardInterface.excludedWindows, to: patterns)
  }

  /// Sets the patterns of excluded types.
  ///
  /// A copy that has one of them is not stored.
  ///
  /// - Throws: `invalidArguments`, `inputOutput`.
  public func setExcludedTypes(_ patterns: [String]) async throws(DragboardError) {
    try await set(ClipboardInterface.excludedTypes, to: patterns)
  }

  @concurrent private func call<each I: BusValue>(
    _ method: MethodDeclaration<Arguments<repeat each I>, Arguments<>>, _ arguments: repeat each I
  ) async throws(DragboardError) {
    do throws(DragboardError) {
      _ = try await connection.reply(
        to: method, at: ClipboardInterface.path, of: ClipboardInterface.busName,
        repeat each arguments)
    } catch { throw Self.explained(error) }
  }

  @concurrent private func set<Value: BusValue>(
    _ property: PropertyDeclaration<Value>, to value: Value
  ) async throws(DragboardError) {
    do throws(DragboardError) {
      try await connection.set(
        property, to: value, at: ClipboardInterface.path, of: ClipboardInterface.busName)
    } catch { throw Self.explained(error) }
  }

  /// Returns the error for a failed call of the bridge.
  ///
  /// The connection reports every absent receiver as an absent daemon, so the errors are
  /// translated.
  private static func explained(_ error: DragboardError) -> DragboardError {
    switch error.reason {
    case .noDaemon: DragboardError(.noClipboard, "the clipboard bridge does not run")
    case .noReply: DragboardError(.noReply, "the clipboard bridge did not reply")
    default: error
    }
  }
}

extension ClipboardBridge.Info {
  init(_ properties: Properties) throws(DragboardError) {
    try self.init(
      backend: properties.text(ClipboardInterface.backend),
      isPaused: properties.flag(ClipboardInterface.paused),
      pausesWhileLocked: properties.flag(ClipboardInterface.pausesWhileLocked),
      storesSelections: (try? properties.flag(ClipboardInterface.storesSelections)) ?? false,
      excludedApplications: properties.texts(ClipboardInterface.excludedApplications),
      // A bridge of an earlier release does not have the other properties.
      excludedWindows: (try? properties.texts(ClipboardInterface.excludedWindows)) ?? [],
      excludedTypes: properties.texts(ClipboardInterface.excludedTypes),
      applicationReports: (try? properties.text(ClipboardInterface.applicationReports))
        .flatMap { $0.isEmpty ? nil : $0 },
      pasteMeans: (try? properties.text(ClipboardInterface.pasteMeans))
        .flatMap { $0.isEmpty ? nil : $0 },
      pastePermission: (try? properties.text(ClipboardInterface.pastePermission))
        .flatMap { ClipboardBridge.PastePermission(rawValue: $0) } ?? .notNeeded,
      recentApplications: (try? properties.texts(ClipboardInterface.recentApplications)) ?? [])
  }
}

extension DragboardConnection {
  /// The bridge between the clipboard and the board "clipboard".
  public nonisolated var clipboard: ClipboardBridge { ClipboardBridge(connection: self) }
}

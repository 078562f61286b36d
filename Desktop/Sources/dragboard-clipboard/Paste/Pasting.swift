import ClipboardModel
import DBus
import DragModel
import DragboardClient

/// Pastes rows into the window that had the focus before the picker.
@ClipboardActor final class Pasting {
  /// The time for which a window is remembered.
  private static let memory = Duration.seconds(600)
  /// The time in which the services must report whether the screen is locked.
  private static let lockTimeout = Duration.seconds(1)

  /// The options of a paste.
  struct Options {
    /// Whether only the plain text is pasted.
    var isPlain = false
    /// Whether the user has confirmed a text that could run commands.
    var isConfirmed = false

    init() {}

    /// Reads the options of a call.
    init(_ options: [String: Variant]) throws(DBusError) {
      for (key, value) in options {
        switch (key, value.value) {
        case ("plain", .boolean(let isPlain)): self.isPlain = isPlain
        case ("confirmed", .boolean(let isConfirmed)): self.isConfirmed = isConfirmed
        default:
          throw DBusError(
            .invalidArgs,
            "options: \(key) is not an option of this type (expected the booleans plain and confirmed)"
          )
        }
      }
    }
  }

  /// The outcome of a paste.
  enum Outcome: Sendable {
    case pasted
    case copied(PasteObstacle)
    case confirm(PasteQuestion)

    /// The values of the reply.
    var words: (outcome: String, reason: String) {
      switch self {
      case .pasted: ("pasted", "")
      case .copied(let obstacle): ("copied", obstacle.rawValue)
      case .confirm(let question): ("confirm", question.rawValue)
      }
    }
  }

  /// A remembered window.
  private struct Preparation {
    let caller: String
    let target: Result<PasteTarget, PasteObstacle>
    let timer: Timer
  }

  private let bridge: Bridge
  private let lock: ScreenLock
  private let loop: EventLoop
  private var preparation: Preparation?
  /// The number of the latest preparation.
  private var number = 0

  init(_ bridge: Bridge, _ lock: ScreenLock, on loop: EventLoop) {
    (self.bridge, self.lock, self.loop) = (bridge, lock, loop)
  }

  /// Remembers the focused window for the next paste of a caller.
  func prepare(for caller: String) async {
    number += 1
    let number = number
    forget()
    lock.watch()
    guard let paster = bridge.paster else { return }
    let target: Result<PasteTarget, PasteObstacle>
    do throws(PasteObstacle) { target = .success(try await paster.prepare()) } catch {
      target = .failure(error)
    }
    // A later preparation, which has ended earlier, counts.
    guard number == self.number else { return }
    let timer = loop.schedule(after: Self.memory) { [weak self] in self?.forget() }
    preparation = Preparation(caller: caller, target: target, timer: timer)
  }

  private func forget() {
    if let timer = preparation?.timer { loop.cancel(timer) }
    preparation = nil
  }

  /// Copies a row to the clipboard, and pastes it into the remembered window, after all earlier
  /// calls that use the clipboard.
  func paste(
    _ item: ItemID, ofBoardAt path: String, _ options: Options, for caller: String
  ) async throws -> Outcome {
    try await bridge.inOrder { [self] in
      let row = try await row(item, ofBoardAt: path, options)
      await lock.untilKnown(within: Self.lockTimeout)
      switch target(for: caller) {
      case .failure(let obstacle):
        return try await bridge.claim(bridge.offer(of: row), of: row) { .copied(obstacle) }
      case .success(let target):
        if let obstacle = await bridge.paster?.permission?.obstacle() {
          // The window is still remembered: the caller can get the permission, and then repeat the call.
          return try await bridge.claim(bridge.offer(of: row), of: row) { .copied(obstacle) }
        }
        let keys = PasteRule.keys(for: target.program, bridge.settings.pasteRules)
        // The program gets the bytes that were examined, even if the row is edited meanwhile.
        let text =
          row.types.contains(MIMEType.plainText.mime)
          ? try await row.file(as: MIMEType.plainText.mime) : nil
        let isForTerminals = try options.isConfirmed || text?.hasControls() != true
        if !isForTerminals, bridge.paster?.mayReachTerminal(with: keys, for: target) == true {
          return .confirm(target.program.all.isEmpty ? .unknown : .terminal)
        }
        forget()
        var offer = bridge.offer(of: row, text: text)
        offer.isForTerminals = isForTerminals
        return try await paste(offer, of: row, with: keys, into: target)
      }
    }
  }

  // MARK: The permission

  /// Whether the desktop must first ask the user, and the answer as far as it is known.
  var permission: ClipboardBridge.PastePermission {
    guard let paster = bridge.paster, !paster.means.isEmpty, let permission = paster.permission
    else { return .notNeeded }
    return permission.isGranted ? .granted : .missing
  }

  /// Lets the desktop ask the user for the permission to press keys, if it is needed.
  func allow() async throws(PasteObstacle) {
    guard let paster = bridge.paster, !paster.means.isEmpty else { throw .unsupported }
    try await paster.permission?.ask()
  }

  /// Revokes the permission.
  func forbid() { bridge.paster?.permission?.forget() }

  // MARK: Rows

  private func row(
    _ item: ItemID, ofBoardAt path: String, _ options: Options
  ) async throws -> StoredRow {
    let row = try await bridge.row(item, ofBoardAt: path)
    guard options.isPlain else { return row }
    guard row.types.contains(MIMEType.plainText.mime) else {
      throw DBusError(.invalidArgs, "plain: the row has no plain text (expected a row with text)")
    }
    return StoredRow(board: row.board, item: item, types: [MIMEType.plainText.mime])
  }

  private func target(for caller: String) -> Result<PasteTarget, PasteObstacle> {
    guard bridge.paster != nil else { return .failure(.unsupported) }
    guard !lock.isLocked, lock.isKnown else { return .failure(.locked) }
    guard let preparation, preparation.caller == caller else { return .failure(.unprepared) }
    return preparation.target
  }

  private func paste(
    _ offer: RowOffer, of row: StoredRow, with keys: PasteKeys, into target: PasteTarget
  ) async throws -> Outcome {
    try await bridge.claim(offer, of: row) { () async throws -> Outcome in
      do throws(PasteFailure) {
        try await bridge.paster?.paste(offer, with: keys, into: target)
        return .pasted
      } catch {
        switch error {
        case .copied(let obstacle): return .copied(obstacle)
        case .clipboardTaken:
          throw DBusError(.failed, "another program has made a copy at the same moment")
        }
      }
    }
  }
}

extension ReceivedFile {
  /// Returns whether the text contains a line end or another control character.
  fileprivate func hasControls() throws -> Bool {
    var (found, last) = (false, UInt8(0))
    try read { piece in
      found = found || Terminal.hasControls(piece, after: last)
      last = piece.last ?? last
    }
    return found
  }
}

import ClipboardModel
import DragboardClient

/// A way to press the keys that paste in the window that had the focus before the picker.
///
/// A paster is used only on the thread of its event loop.
@ClipboardActor protocol Paster: AnyObject {
  /// The name of the means, as `PasteMeans` reports it; "" if there is none at present.
  var means: String { get }

  /// The permission that the desktop requires; nil if it requires none.
  var permission: (any KeyboardPermission)? { get }

  /// Whether the paster owns the primary selection, for a paste or after it.
  var ownsPrimary: Bool { get }

  /// Remembers the window that has the focus, and the text of the primary selection.
  ///
  /// - Throws: the reason why no window is remembered.
  func prepare() async throws(PasteObstacle) -> PasteTarget

  /// Returns whether keys for a window could reach a terminal: this window, or another one.
  func mayReachTerminal(with keys: PasteKeys, for target: PasteTarget) -> Bool

  /// Offers a row as the primary selection, waits until the window has the focus again, and presses
  /// the keys.
  ///
  /// The backend must have claimed the clipboard for the same row in the same iteration of the loop.
  ///
  /// - Throws: the reason why no key was pressed.
  func paste(_ offer: RowOffer, with keys: PasteKeys, into target: PasteTarget)
    async throws(PasteFailure)
}

extension Paster {
  var permission: (any KeyboardPermission)? { nil }

  /// Returns whether the window may be a terminal, because only the window can get the keys.
  func mayReachTerminal(with keys: PasteKeys, for target: PasteTarget) -> Bool {
    target.mayBeTerminal
  }
}

/// A window into which a row is pasted.
struct PasteTarget: Hashable, Sendable {
  /// The name of the window on the display; "" if the display does not name it.
  let window: String
  /// The names of its program; none if they are unknown.
  let program: ProgramNames
  /// Whether its program is a terminal, or may be one.
  let mayBeTerminal: Bool

  init(window: String, program: ProgramNames, isTerminal: Bool = false) {
    (self.window, self.program) = (window, program)
    mayBeTerminal = isTerminal || Terminal.mayBe(program)
  }
}

/// The reason why no key was pressed.
enum PasteFailure: Error, Hashable {
  /// The row is the clipboard.
  case copied(PasteObstacle)
  /// Another program has claimed the clipboard, so the row is not the clipboard.
  case clipboardTaken
}

/// The names that are offered for a row, and the source of their bytes.
struct RowOffer {
  let names: [String]
  let source: PasteHandler
  /// Whether a terminal may get the row.
  ///
  /// If not, the row is not the primary selection on a display that cannot keep the focus until the
  /// keys are handled.
  var isForTerminals = true
}

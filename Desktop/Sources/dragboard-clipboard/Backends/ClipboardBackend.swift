import ClipboardModel
import DragboardClient

/// The clipboard of one kind of display.
///
/// A backend is used only on the thread of its event loop. It calls every completion exactly once,
/// unless `stopReading` cancels the read.
@ClipboardActor protocol ClipboardBackend: AnyObject {
  /// The name of the backend: `x11`, `mutter`, or the name of a Wayland protocol.
  var name: String { get }

  /// Whether the display itself claims the clipboard after the owner has exited. The display then
  /// offers one type of the owner's copy: a text or a picture.
  var keepsPartOfContent: Bool { get }

  /// Whether each offer has the names of its program.
  var reportsProgram: Bool { get }

  /// The display's reports about the focus; nil if it has none.
  var focus: (any FocusSource)? { get }

  /// The way to paste on this display; nil if there is none.
  var paster: (any Paster)? { get }

  /// Starts to report events.
  ///
  /// The content that is on the clipboard at the start is not reported as `changed`, because it may
  /// already be a row, or a part of a secret.
  func start(_ report: @escaping (ClipboardEvent) -> Void) async throws(BackendError)

  /// Reads a type of the current owner into `buffer`.
  ///
  /// Only one read may be active.
  func read(
    _ name: String, into buffer: CopyBuffer,
    whenDone completion: @escaping (Result<Void, ReadError>) -> Void)

  /// Checks that the owner and the display still existed after the last read, and calls
  /// `completion`.
  ///
  /// The check is necessary because the exit of the owner may end a read, too.
  /// If the owner or the display has exited, this is reported as an event before the call of
  /// `completion`, or `completion` gets an error.
  func confirm(_ completion: @escaping (Result<Void, ReadError>) -> Void)

  /// Cancels the active read. Its completion is not called.
  func stopReading()

  /// Claims the clipboard with these types, in order.
  ///
  /// `source` gets a name, and passes the bytes to its completion; nil if it does not have them.
  ///
  /// - Throws: `BackendError` if the clipboard cannot be reached at present.
  func claim(_ names: [String], from source: @escaping PasteHandler) throws(BackendError)

  /// Releases the clipboard that this backend has claimed. The clipboard is then empty.
  func release()
}

/// Produces the bytes of a type when a program pastes it.
typealias PasteHandler = (
  _ name: String, _ completion: @escaping (ReceivedFile?) -> Void
) -> Void

/// One of the two contents that programs share.
enum Selection: String {
  /// The content of "Copy" and "Paste".
  case clipboard = "CLIPBOARD"
  /// The selected text, which the middle button of the pointer pastes.
  case primary = "PRIMARY"
}

/// A backend that knows whether the user is selecting.
@ClipboardActor protocol SelectionProgress {
  /// Whether a button of the pointer or a Shift key is pressed.
  var isSelecting: Bool { get }
}

/// An event of the clipboard.
enum ClipboardEvent {
  /// Another program may now own the clipboard. If so, a report of its types may follow.
  case changing
  /// Another program owns the clipboard.
  case changed(Offer)
  /// Another program already owned the clipboard when the backend began to report changes.
  case present(Offer)
  /// The clipboard has no owner.
  ///
  /// `isDeliberate` is true if the owner has emptied the clipboard, and false if the owner may have
  /// exited.
  case emptied(isDeliberate: Bool)
  /// The clipboard can no longer be reached.
  case closed(BackendError)
}

/// The types that an owner offers.
struct Offer {
  /// The names in the owner's order.
  let names: [String]
  /// The names of the owner's program; none if it is unknown.
  var program = ProgramNames()
}

/// The reason why a clipboard cannot be reached.
struct BackendError: Error, CustomStringConvertible {
  /// A sentence.
  let description: String
}

/// The reason why a type was not read.
enum ReadError: Error, Hashable, CustomStringConvertible {
  /// The user has excluded the application.
  case excluded
  /// The owner does not provide the type, or has exited.
  case refused
  /// The copy exceeds the limit of bytes.
  case tooLarge
  /// The owner did not answer in time.
  case timedOut
  /// The process has run out of memory or descriptors.
  case system(String)

  var description: String {
    switch self {
    case .excluded: "its application is excluded"
    case .refused: "its owner is gone, or delivers none of its types"
    case .tooLarge: "it has more than \(ClipboardCopyPlan.maxByteCount >> 20) MiB"
    case .timedOut: "its owner did not deliver it in time"
    case .system(let message): message
    }
  }
}

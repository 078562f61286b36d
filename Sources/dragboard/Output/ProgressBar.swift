import DragboardClient
import Glibc
import Synchronization

/// The progress of long work, on standard error if that is a terminal.
///
/// There is one bar on the terminal: a new one replaces it, and other output clears it first.
final class ProgressBar: Sendable {
  /// Whether anybody sees it.
  let isShown = isatty(STDERR_FILENO) == 1
  private let work: String
  private static let isDrawn = Mutex(false)
  private static let width = 40
  /// Work on fewer bytes is over before anybody reads of it.
  static let minByteCount = 4 << 20

  /// - Parameter work: the work in a word: `loading`.
  init(_ work: String) { self.work = work }

  deinit { Self.clear() }

  /// Shows a fraction from 0 to 1.
  func show(_ fraction: Double) {
    guard fraction.isFinite else { return }
    let fraction = min(max(fraction, 0), 1)
    let filled = Int(fraction * Double(Self.width))
    let bar =
      String(repeating: "█", count: filled)
      + String(repeating: "░", count: Self.width - filled)
    draw("\(work) \(bar) \(Int(fraction * 100)) %")
  }

  /// Shows that the work goes on, when nobody knows how far it is.
  ///
  /// - Parameter what: the object of the work; "" for none.
  func show(_ what: String = "") {
    draw("\(work)\(what.isEmpty ? "" : " ")\(TerminalText(what).text) …")
  }

  /// Shows how far the drop of a drag is.
  func show(_ event: SessionEvent) {
    switch event {
    case .willEnd(let operation) where operation.transfers: show()
    case .progressed(let fraction): show(fraction)
    default: break
    }
  }

  static func clear() {
    isDrawn.withLock { isDrawn in
      guard isDrawn else { return }
      isDrawn = false
      try? Console.write("\r\u{1B}[K", to: STDERR_FILENO)
    }
  }

  private func draw(_ line: String) {
    guard isShown else { return }
    Self.isDrawn.withLock { isDrawn in
      isDrawn = true
      try? Console.write("\r\(line)\u{1B}[K", to: STDERR_FILENO)
    }
  }
}

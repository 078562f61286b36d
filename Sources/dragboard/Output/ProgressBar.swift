import DragboardClient
import Glibc
import Synchronization

/// A progress bar on standard error, which is shown only if standard error is a terminal.
///
/// At most one bar is on the terminal. A new bar replaces the old one, and other output first
/// clears the bar.
final class ProgressBar: Sendable {
  /// Whether the bar is shown.
  let isShown = isatty(STDERR_FILENO) == 1
  private let work: String
  private static let isDrawn = Mutex(false)
  private static let width = 40
  /// The minimum number of bytes for a progress bar.
  ///
  /// Work on fewer bytes ends too soon to show one.
  static let minByteCount = 4 << 20

  /// - Parameter work: a word for the work: `loading`.
  init(_ work: String) { self.work = work }

  deinit { Self.clear() }

  /// Shows the completed fraction of the work, from 0 to 1.
  func show(_ fraction: Double) {
    guard fraction.isFinite else { return }
    let fraction = min(max(fraction, 0), 1)
    let filled = Int(fraction * Double(Self.width))
    let bar =
      String(repeating: "█", count: filled)
      + String(repeating: "░", count: Self.width - filled)
    draw("\(work) \(bar) \(Int(fraction * 100)) %")
  }

  /// Shows that the work continues, if the completed fraction is unknown.
  ///
  /// - Parameter what: the object of the work, such as a path; "" for none.
  func show(_ what: String = "") {
    draw("\(work)\(what.isEmpty ? "" : " ")\(TerminalText(what).text) …")
  }

  /// Shows the progress of a drop.
  ///
  /// Ignores events that do not report progress.
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

import Foundation
import TestSupport

extension Daemon {
  /// The directory of contents.
  private var contents: URL { bus.home.appending(path: "data/dragboard/contents") }

  /// Returns the contents of the content files when they are `expected`, or after 20 seconds.
  ///
  /// The purge does not report its end.
  func largeContents(waitingFor expected: Set<Data>) -> Set<Data> {
    let deadline = Date(timeIntervalSinceNow: 20)
    while true {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: contents.path)) ?? []
      // The daemon may remove a file between the two reads.
      let found = names.compactMap { try? Data(contentsOf: contents.appendingPathComponent($0)) }
      if Set(found) == expected, names.count == expected.count { return expected }
      if Date() > deadline { return Set(found) }
      Thread.sleep(forTimeInterval: 0.01)
    }
  }
}

import Foundation
import TestSupport

extension Daemon {
  /// The folder of large contents.
  private var contents: URL { bus.home.appending(path: "data/dragboard/contents") }

  /// What is in the files with large contents, once it is as expected, or after a time in which it should be.
  ///
  /// The clean-up tells nobody that it has ended.
  func largeContents(waitingFor expected: Set<Data>) -> Set<Data> {
    let deadline = Date(timeIntervalSinceNow: 20)
    while true {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: contents.path)) ?? []
      // What goes meanwhile is not there.
      let found = names.compactMap { try? Data(contentsOf: contents.appendingPathComponent($0)) }
      if Set(found) == expected, names.count == expected.count { return expected }
      if Date() > deadline { return Set(found) }
      Thread.sleep(forTimeInterval: 0.01)
    }
  }
}

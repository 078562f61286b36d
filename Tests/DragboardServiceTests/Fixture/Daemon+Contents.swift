import Foundation
import TestSupport

extension Daemon {
  /// The folder of large contents.
  private var contents: URL { bus.home.appending(path: "data/dragboard/contents") }

  /// The names of the files with large contents, as they are once they are those names, or after a time in which they should be.
  ///
  /// The clean-up tells nobody that it has ended.
  func contentNames(waitingFor expected: Set<String>) -> Set<String> {
    let deadline = Date(timeIntervalSinceNow: 20)
    while true {
      let names = Set((try? FileManager.default.contentsOfDirectory(atPath: contents.path)) ?? [])
      if names == expected || Date() > deadline { return names }
      Thread.sleep(forTimeInterval: 0.01)
    }
  }
}

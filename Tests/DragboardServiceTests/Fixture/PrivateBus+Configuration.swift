import Foundation
import TestSupport

extension PrivateBus {
  /// Writes the configuration file that a daemon on the bus reads.
  func configure(_ text: String) throws {
    let folder = home.appending(path: "config/dragboard")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: folder.appending(path: "config.toml"))
  }
}

import Foundation

/// The project as it is checked in.
public enum Checkout {
  /// Returns the absolute path of a file.
  public static func path(_ path: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: path).path
  }

  /// A file's text.
  ///
  /// - Throws: what the system says.
  public static func text(of path: String) throws -> String {
    try String(contentsOfFile: Self.path(path), encoding: .utf8)
  }
}

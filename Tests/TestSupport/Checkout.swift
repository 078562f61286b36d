import Foundation

/// The checkout of the project.
public enum Checkout {
  /// Returns the absolute path of a file.
  public static func path(_ path: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: path).path
  }

  /// Returns the text of a file.
  ///
  /// - Throws: the error of the system.
  public static func text(of path: String) throws -> String {
    try String(contentsOfFile: Self.path(path), encoding: .utf8)
  }
}

import Foundation

/// An error for an executable that tests need but that was not built.
public struct MissingProduct: Error, CustomStringConvertible {
  /// The expected path.
  public let path: String

  /// A message with the expected path and the remedy.
  public var description: String { "there is no executable at \(path): build it first" }
}

/// Returns the path of an executable of this package, which `swift build --build-tests` puts beside
/// the test bundle.
///
/// - Throws: `MissingProduct` if there is no such executable.
public func builtProduct(_ name: String) throws -> String {
  let folder = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  let path = URL(fileURLWithPath: folder).deletingLastPathComponent().appending(path: name).path
  guard FileManager.default.isExecutableFile(atPath: path) else {
    throw MissingProduct(path: path)
  }
  return path
}

import Foundation

/// A product that the tests need and that is not there.
public struct MissingProduct: Error, CustomStringConvertible {
  /// The expected path.
  public let path: String

  /// The expected path, and the way to make the executable.
  public var description: String { "there is no executable at \(path): build it first" }
}

/// The path of an executable of this package, which `swift build --build-tests` puts beside the
/// test bundle.
///
/// - Throws: `MissingProduct` where it is not there.
public func builtProduct(_ name: String) throws -> String {
  let folder = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  let path = URL(fileURLWithPath: folder).deletingLastPathComponent().appending(path: name).path
  guard FileManager.default.isExecutableFile(atPath: path) else {
    throw MissingProduct(path: path)
  }
  return path
}

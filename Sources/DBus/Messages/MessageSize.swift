/// The size of a message's arguments.
public struct MessageSize: Hashable, Sendable {
  /// The number of bytes.
  public let byteCount: Int
  /// The number of file descriptors.
  public let descriptorCount: Int

  /// Creates a size.
  public init(byteCount: Int, descriptorCount: Int) {
    (self.byteCount, self.descriptorCount) = (byteCount, descriptorCount)
  }
}

/// How large the arguments of a message are.
public struct MessageSize: Hashable, Sendable {
  /// How many bytes they have.
  public let byteCount: Int
  /// How many file descriptors go with them.
  public let descriptorCount: Int

  /// Names both.
  public init(byteCount: Int, descriptorCount: Int) {
    (self.byteCount, self.descriptorCount) = (byteCount, descriptorCount)
  }
}

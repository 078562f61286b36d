/// An amount of the resources that clients share.
public struct Cost: Hashable, Sendable {
  /// Calls, or jobs that calls started.
  public var calls: Int
  /// Bytes in memory or on the disk.
  public var bytes: Int
  /// Open file descriptors.
  public var descriptors: Int

  /// Creates a cost.
  public init(calls: Int = 0, bytes: Int = 0, descriptors: Int = 0) {
    (self.calls, self.bytes, self.descriptors) = (calls, bytes, descriptors)
  }

  /// The number of bytes charged for a waiting file descriptor.
  public static let bytesPerDescriptor = 1 << 20

  /// The cost of keeping a call.
  init(ofKeeping call: Message) {
    self.init(
      calls: 1, bytes: call.byteCountToKeep, descriptors: call.bearsDescriptors ? 1 : 0)
  }

  /// Returns the sum of two costs.
  public static func + (a: Cost, b: Cost) -> Cost {
    Cost(
      calls: a.calls + b.calls, bytes: a.bytes + b.bytes,
      descriptors: a.descriptors + b.descriptors)
  }

  /// Returns the difference of two costs.
  public static func - (a: Cost, b: Cost) -> Cost {
    Cost(
      calls: a.calls - b.calls, bytes: a.bytes - b.bytes,
      descriptors: a.descriptors - b.descriptors)
  }
}

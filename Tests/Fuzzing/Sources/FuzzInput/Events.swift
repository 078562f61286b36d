/// A byte string as a series of events: each draw takes a byte; at the end all draws are 0.
public struct Events {
  private var bytes: Slice<UnsafeRawBufferPointer>

  /// The bytes that libFuzzer gives.
  public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes[...] }

  /// Whether there is nothing left.
  public var isAtEnd: Bool { bytes.isEmpty }

  /// A number below `bound`, which is at most 256.
  public mutating func next(_ bound: Int) -> Int { Int(bytes.popFirst() ?? 0) % bound }
}

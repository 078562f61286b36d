/// A byte string as a series of events: each draw takes a byte; at the end all draws are 0.
struct Events {
  private var bytes: Slice<UnsafeRawBufferPointer>

  /// The bytes that libFuzzer gives.
  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes[...] }

  /// Whether there is nothing left.
  var isAtEnd: Bool { bytes.isEmpty }

  /// The next byte; 0 at the end.
  mutating func nextByte() -> UInt8 { bytes.popFirst() ?? 0 }

  /// A number below `bound`, which is at most 256.
  mutating func next(_ bound: Int) -> Int { Int(nextByte()) % bound }

  /// All bytes that are left.
  var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes) }
}

/// A byte string as a series of events.
///
/// Each draw takes a byte; after the last byte all draws are 0.
struct Events {
  private var bytes: Slice<UnsafeRawBufferPointer>

  /// Creates the events of an input from libFuzzer.
  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes[...] }

  /// Whether no byte is left.
  var isAtEnd: Bool { bytes.isEmpty }

  /// Returns the next byte; 0 after the end.
  mutating func nextByte() -> UInt8 { bytes.popFirst() ?? 0 }

  /// Returns a number below `bound`, which is at most 256.
  mutating func next(_ bound: Int) -> Int { Int(nextByte()) % bound }

  /// The remaining bytes.
  var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes) }
}

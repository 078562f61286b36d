/// About how large a message is that is being made; never less than it is.
///
/// libdbus builds what the bus then refuses by closing the connection, so whoever makes messages counts.
/// Source: the D-Bus specification, "Marshaling": an array ends at 64 MiB, a message at 128 MiB.
struct MessageSize {
  /// The most bytes of an array's elements.
  static let largestArray = 64 << 20
  /// The most bytes of arguments; the rest is room for the header.
  private static let largestMessage = 127 << 20

  /// The bytes of all arguments.
  private(set) var bytes = 0
  private var hasLargeArray = false

  /// Whether the bus would not carry it.
  var isTooLarge: Bool { hasLargeArray || bytes > Self.largestMessage }

  /// Counts a value of that many bytes, with its length and the padding before it.
  mutating func add(_ count: Int) { bytes += count + 8 }

  /// Notes an array whose elements began when so many bytes were counted.
  mutating func noteArray(since start: Int) {
    if bytes - start > Self.largestArray { hasLargeArray = true }
  }
}

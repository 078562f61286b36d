/// The combined progress of several loads, from 0 to 1.
///
/// A load is weighted by its size. A load of unknown size is weighted by ``assumedByteCount``; its
/// progress is 0 until it has ended.
public struct LoadProgress: Sendable {
  /// The assumed size of a load of unknown size, in bytes.
  public static let assumedByteCount = 64 << 10

  private var total = 0.0
  private var done = 0.0

  /// Creates a progress without loads.
  public init() {}

  /// Adds a load in progress.
  ///
  /// - Parameters:
  ///   - received: The number of bytes received.
  ///   - expected: The total number of bytes; nil if unknown.
  public mutating func add(received: Int, of expected: Int?) {
    let weight = Double(max(1, expected ?? Self.assumedByteCount))
    total += weight
    if expected != nil { done += min(Double(received), weight) }
  }

  /// Adds a load that has ended, successfully or not.
  ///
  /// - Parameter expected: The size that was expected while the load was in progress, so that the
  ///   fraction does not decrease.
  public mutating func addFinished(of expected: Int?) {
    let weight = Double(max(1, expected ?? Self.assumedByteCount))
    total += weight
    done += weight
  }

  /// The progress from 0 to 1; 1 if there is no load.
  public var fraction: Double { total > 0 ? min(1, done / total) : 1 }
}

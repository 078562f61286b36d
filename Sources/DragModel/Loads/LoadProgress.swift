/// How far several loads are, as one figure from 0 to 1.
///
/// A load counts by its size. Where that is not told it counts as ``assumedByteCount``, and is either done or not begun.
public struct LoadProgress: Sendable {
  /// What a load of unknown size counts as.
  public static let assumedByteCount = 64 << 10

  private var total = 0.0
  private var done = 0.0

  /// Nothing to load.
  public init() {}

  /// Adds a load that is under way.
  ///
  /// - Parameters:
  ///   - received: The bytes that have come.
  ///   - expected: The bytes that will come, as far as anybody knows.
  public mutating func add(received: Int, of expected: Int?) {
    let weight = Double(max(1, expected ?? Self.assumedByteCount))
    total += weight
    if expected != nil { done += min(Double(received), weight) }
  }

  /// Adds a load that is over, whatever became of it.
  ///
  /// - Parameter expected: What was thought of its size while it was under way, so that the figure does not fall.
  public mutating func addFinished(of expected: Int?) {
    let weight = Double(max(1, expected ?? Self.assumedByteCount))
    total += weight
    done += weight
  }

  /// From 0 to 1; 1 where there is nothing to load.
  public var fraction: Double { total > 0 ? min(1, done / total) : 1 }
}

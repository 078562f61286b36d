internal import Text

/// The identity of a row, a section or a machine, which is the same on all machines: 128 random
/// bits.
///
/// A key is created without a server, so an offline machine can insert rows.
public struct Key<Subject>: Hashable, Comparable, Sendable {
  /// The first 64 bits.
  public let high: UInt64
  /// The last 64 bits.
  public let low: UInt64

  /// Creates a key with these bits.
  public init(_ high: UInt64, _ low: UInt64) { (self.high, self.low) = (high, low) }

  /// Creates a new key.
  public static func random(using generator: inout some RandomNumberGenerator) -> Key {
    Key(generator.next(), generator.next())
  }

  /// Compares the bits.
  ///
  /// The order has no meaning.
  public static func < (one: Key, other: Key) -> Bool {
    (one.high, one.low) < (other.high, other.low)
  }
}

extension Key: CustomStringConvertible {
  /// The key as 32 hexadecimal digits.
  public var description: String { Hexadecimal.digits(of: high) + Hexadecimal.digits(of: low) }
}

/// The marker type for the keys of sections.
public enum SectionSubject {}

/// The marker type for the keys of machines.
public enum MachineSubject {}

/// The key of a row.
public typealias RowKey = Key<SharedRow>
/// The key of a section.
public typealias SectionKey = Key<SectionSubject>
/// The key of a machine.
public typealias MachineKey = Key<MachineSubject>

extension SectionKey {
  /// The key of the section with which every shared board begins.
  public static let first = SectionKey(0, 0)
}

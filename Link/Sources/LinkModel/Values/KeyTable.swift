/// A dictionary whose copies share their parts.
///
/// A copy takes O(parts), and the first change of a part in one of two copies takes O(keys of the
/// part). So a board with many rows is copied and edited in some microseconds.
public struct KeyTable<Subject, Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    let key: Key<Subject>
    var value: Value
  }

  /// Some entries, in any order.
  ///
  /// Small parts would take more memory: they would be scattered among values that are freed later.
  private typealias Part = [Entry]

  /// The maximum average number of keys of a part.
  private static var maxAverage: Int { 192 }

  /// The number of parts is a power of two.
  private var parts: [Part] = [[]]
  /// The number of keys.
  public private(set) var count = 0

  /// Creates an empty table.
  public init() {}

  private func part(of key: Key<Subject>) -> Int {
    let mixed = (key.high &* 0x9E37_79B9_7F4A_7C15 ^ key.low) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 40) & (parts.count - 1)
  }

  private static func index(of key: Key<Subject>, in part: Part) -> Int? {
    part.firstIndex { $0.key == key }
  }

  private static func append(_ entry: Entry, to part: inout Part) {
    if part.count == part.capacity { part.setCapacity(part.count + part.count / 8 + 4) }
    part.append(entry)
  }

  /// The value of a key; nil if the table does not have the key.
  public subscript(key: Key<Subject>) -> Value? {
    get {
      let part = parts[part(of: key)]
      return Self.index(of: key, in: part).map { part[$0].value }
    }
    set {
      let number = part(of: key)
      switch (Self.index(of: key, in: parts[number]), newValue) {
      case (let index?, let value?): parts[number][index].value = value
      case (let index?, nil):
        parts[number].remove(at: index)
        count -= 1
      case (nil, let value?):
        Self.append(Entry(key: key, value: value), to: &parts[number])
        count += 1
        if count > parts.count * Self.maxAverage { divide() }
      case (nil, nil): break
      }
    }
  }

  /// Removes a key and returns its value; nil if the table does not have the key.
  public mutating func removeValue(forKey key: Key<Subject>) -> Value? {
    let value = self[key]
    if value != nil { self[key] = nil }
    return value
  }

  /// The keys, in any order.
  public var keys: [Key<Subject>] { parts.flatMap { $0.map(\.key) } }

  private mutating func divide() {
    let old = parts
    parts = Array(repeating: [], count: old.count * 2)
    for part in old {
      for entry in part { Self.append(entry, to: &parts[self.part(of: entry.key)]) }
    }
  }
}

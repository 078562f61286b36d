/// A dictionary whose copies share their parts.
///
/// A copy takes O(parts), and the first change of a part in one of two copies takes O(keys of the
/// part). So a board with many rows is copied and edited in some microseconds.
public struct KeyTable<Subject, Value: Sendable>: Sendable {
  private struct Part: Sendable {
    var keys: [Key<Subject>] = []
    var values: [Value] = []

    func index(of key: Key<Subject>) -> Int? { keys.firstIndex(of: key) }

    mutating func append(_ key: Key<Subject>, _ value: Value) {
      if keys.count == keys.capacity { reserve(keys.count + 8) }
      keys.append(key)
      values.append(value)
    }

    /// Reserves memory for this number of keys and no more.
    ///
    /// An array that grows by itself has up to twice the memory that it needs.
    private mutating func reserve(_ count: Int) {
      let (oldKeys, oldValues) = (keys, values)
      (keys, values) = ([], [])
      keys.reserveCapacity(count)
      values.reserveCapacity(count)
      keys += oldKeys
      values += oldValues
    }
  }

  /// The maximum average number of keys of a part.
  private static var maxAverage: Int { 48 }

  /// The number of parts is a power of two.
  private var parts = [Part()]
  /// The number of keys.
  public private(set) var count = 0

  /// Creates an empty table.
  public init() {}

  private func part(of key: Key<Subject>) -> Int {
    let mixed = (key.high &* 0x9E37_79B9_7F4A_7C15 ^ key.low) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 40) & (parts.count - 1)
  }

  /// The value of a key; nil if the table does not have the key.
  public subscript(key: Key<Subject>) -> Value? {
    get {
      let part = parts[part(of: key)]
      return part.index(of: key).map { part.values[$0] }
    }
    set {
      let number = part(of: key)
      switch (parts[number].index(of: key), newValue) {
      case (let index?, let value?): parts[number].values[index] = value
      case (let index?, nil):
        parts[number].keys.remove(at: index)
        parts[number].values.remove(at: index)
        count -= 1
      case (nil, let value?):
        parts[number].append(key, value)
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
  public var keys: [Key<Subject>] { parts.flatMap(\.keys) }

  private mutating func divide() {
    let old = parts
    parts = Array(repeating: Part(), count: old.count * 2)
    for part in old {
      for (key, value) in zip(part.keys, part.values) {
        parts[self.part(of: key)].append(key, value)
      }
    }
  }
}

import LinkModel
import TestSupport
import Testing

/// The dictionary whose copies share their parts.
struct KeyTableTests {
  @Test(
    "A table has the same values as a dictionary, and a copy does not change", arguments: 0..<20)
  func randomChanges(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var table = KeyTable<SharedRow, UInt64>()
    var dictionary: [RowKey: UInt64] = [:]
    var copies: [(table: KeyTable<SharedRow, UInt64>, dictionary: [RowKey: UInt64])] = []
    for step in 0..<4_000 as Range<UInt64> {
      let key = RowKey(generator.next() % 4, generator.next() % 500)
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<6: (table[key], dictionary[key]) = (step, step)
      case 6: (table[key], dictionary[key]) = (nil, nil)
      case 7: #expect(table.removeValue(forKey: key) == dictionary.removeValue(forKey: key))
      default: #expect(table[key] == dictionary[key])
      }
      if step.isMultiple(of: 500) { copies.append((table, dictionary)) }
    }
    copies.append((table, dictionary))
    for (table, dictionary) in copies {
      #expect(table.count == dictionary.count)
      #expect(Set(table.keys) == Set(dictionary.keys))
      for (key, value) in dictionary { #expect(table[key] == value) }
    }
  }
}

import LinkModel
import Testing

@testable import LinkEngine

@Suite("The sealing of entries")
struct EntryChainTests {
  let log = LogID.random()
  let key = GroupKey.random(epoch: 1)
  var start: ChainHead { EntryChain.start(of: log) }

  @Test("An entry opens at its position, and the writer and the reader compute the same hash")
  func opens() throws {
    let sealed = EntryChain.seal([1, 2, 3], after: start, in: log, key: key)
    let opened = try EntryChain.open(sealed.bytes, after: start, in: log, key: key)
    #expect(opened.batch == [1, 2, 3])
    #expect(opened.head == sealed.head)
    #expect(opened.head.number == 1 && opened.head.epoch == 1)
    #expect(opened.head.hash != start.hash)
  }

  @Test("An empty batch is an entry")
  func empty() throws {
    let sealed = EntryChain.seal([], after: start, in: log, key: key)
    #expect(sealed.bytes.count == EntryChain.overhead)
    #expect(try EntryChain.open(sealed.bytes, after: start, in: log, key: key).batch == [])
  }

  @Test("Sealing the same batch twice produces different bytes")
  func nonces() {
    let one = EntryChain.seal([1], after: start, in: log, key: key).bytes
    let other = EntryChain.seal([1], after: start, in: log, key: key).bytes
    #expect(one[29...] != other[29...])
  }

  @Test("An entry with any altered bit does not open")
  func altered() {
    let sealed = EntryChain.seal([1, 2, 3], after: start, in: log, key: key).bytes
    for index in sealed.indices {
      for bit in 0..<8 {
        var altered = sealed
        altered[index] ^= 1 << bit
        #expect(throws: LinkError.self) {
          try EntryChain.open(altered, after: start, in: log, key: key)
        }
      }
    }
    for count in 0..<sealed.count {
      #expect(throws: LinkError.alteredEntry(1)) {
        try EntryChain.open(Array(sealed[..<count]), after: start, in: log, key: key)
      }
    }
  }

  @Test("An entry does not open after another entry, at another number or in another log")
  func misplaced() throws {
    let first = EntryChain.seal([1], after: start, in: log, key: key)
    let second = EntryChain.seal([2], after: first.head, in: log, key: key)
    let other = EntryChain.seal([3], after: start, in: log, key: key)
    #expect(throws: LinkError.alteredEntry(2)) {
      try EntryChain.open(second.bytes, after: other.head, in: log, key: key)
    }
    #expect(throws: LinkError.alteredEntry(1)) {
      try EntryChain.open(second.bytes, after: start, in: log, key: key)
    }
    #expect(throws: LinkError.alteredEntry(2)) {
      try EntryChain.open(first.bytes, after: first.head, in: log, key: key)
    }
    let number = ChainHead(number: 1, hash: start.hash, epoch: 0)
    #expect(throws: LinkError.alteredEntry(2)) {
      try EntryChain.open(first.bytes, after: number, in: log, key: key)
    }
    #expect(throws: LinkError.alteredEntry(1)) {
      try EntryChain.open(first.bytes, after: start, in: LogID.random(), key: key)
    }
    #expect(try EntryChain.open(second.bytes, after: first.head, in: log, key: key).batch == [2])
  }

  @Test("An entry with another key, or with an earlier key than the entry before it, does not open")
  func keys() {
    let sealed = EntryChain.seal([1], after: start, in: log, key: key)
    #expect(throws: LinkError.alteredEntry(1)) {
      try EntryChain.open(sealed.bytes, after: start, in: log, key: .random(epoch: 1))
    }
    let next = EntryChain.seal([2], after: sealed.head, in: log, key: .random(epoch: 2))
    let old = EntryChain.seal([3], after: next.head, in: log, key: key)
    #expect(EntryChain.isSealed(old.bytes, in: log, by: key))
    #expect(!EntryChain.isSealed(next.bytes, in: log, by: key))
    #expect(!EntryChain.isSealed(old.bytes, in: .random(), by: key))
    #expect(throws: LinkError.retiredKey(3)) {
      try EntryChain.open(old.bytes, after: next.head, in: log, key: key)
    }
  }

  @Test("An entry of a later version is not reported as altered")
  func version() {
    var sealed = EntryChain.seal([1], after: start, in: log, key: key).bytes
    sealed[0] = 3
    #expect(throws: LinkError.laterVersion(3)) {
      try EntryChain.open(sealed, after: start, in: log, key: key)
    }
  }

  @Test("A chunk opens only as the same part of the same content")
  func chunks() throws {
    let keys = GroupKeys.random()
    let hash = ContentHash(of: [1, 2, 3])
    let sealed = ContentSeal.seal([1, 2, 3], 0, of: hash, key: keys.latest)
    #expect(try ContentSeal.open(sealed, 0, of: hash, keys: keys) == [1, 2, 3])
    #expect(throws: LinkError.alteredContent(hash)) {
      try ContentSeal.open(sealed, 1, of: hash, keys: keys)
    }
    let other = ContentHash(of: [4])
    #expect(throws: LinkError.alteredContent(other)) {
      try ContentSeal.open(sealed, 0, of: other, keys: keys)
    }
    for index in sealed.indices {
      var altered = sealed
      altered[index] ^= 1
      #expect(throws: LinkError.self) { try ContentSeal.open(altered, 0, of: hash, keys: keys) }
    }
  }

  @Test("A key for a machine opens only with its secret key")
  func boxes() throws {
    let (machine, other) = (BoxKeys.random(), BoxKeys.random())
    let box = try #require(BoxKeys.seal([1, 2, 3], for: machine.publicKey))
    #expect(machine.open(box) == [1, 2, 3])
    #expect(other.open(box) == nil)
    for index in box.indices {
      var altered = box
      altered[index] ^= 1
      #expect(machine.open(altered) == nil)
    }
    #expect(BoxKeys.seal([1], for: [1, 2]) == nil)
  }
}

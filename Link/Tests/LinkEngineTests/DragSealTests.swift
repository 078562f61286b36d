import LinkModel
import Testing

@testable import LinkEngine

@Suite("Sealed messages about drags")
struct DragSealTests {
  private let anna = MachineKey(1, 1)
  private let bert = MachineKey(2, 2)
  private let keys = GroupKeys.random()
  private let plain: [UInt8] = [1, 2, 3]

  private func open(_ bytes: [UInt8], for recipient: MachineKey? = nil) -> DragSeal.Opening {
    DragSeal.open(bytes, for: recipient ?? bert, keys: keys)
  }

  @Test("Only the recipient opens a message, and only if no byte was altered")
  func altered() {
    let sealed = DragSeal.seal(plain, for: bert, key: keys.latest)
    #expect(open(sealed) == .plain(plain))
    #expect(open(sealed, for: anna) == .altered)
    for index in sealed.indices {
      var bytes = sealed
      bytes[index] ^= 1
      #expect(open(bytes) != .plain(plain), "byte \(index)")
      #expect(open(Array(sealed[..<index])) == .altered)
    }
  }

  @Test("A message with an earlier or a later key is ignored")
  func otherKey() {
    let earlier = DragSeal.seal(plain, for: bert, key: keys.latest)
    let later = GroupKey.random(epoch: 2)
    #expect(open(DragSeal.seal(plain, for: bert, key: later)) == .otherKey)
    keys.add(later)
    #expect(open(earlier) == .otherKey)
    #expect(open(DragSeal.seal(plain, for: bert, key: later)) == .plain(plain))
    // The server can exchange the number of the key.
    var forged = earlier
    forged[4] = 2
    #expect(open(forged) == .altered)
  }

  @Test("Bytes that are sealed for another purpose are not a message")
  func purpose() {
    let log = LogID.random()
    let entry = EntryChain.seal(plain, after: EntryChain.start(of: log), in: log, key: keys.latest)
    #expect(open(entry.bytes) == .altered)
  }
}

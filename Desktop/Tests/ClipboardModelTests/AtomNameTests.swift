import Testing

@testable import ClipboardModel

struct AtomNameTests {
  /// Answers with the name "type/N" for the atom N, or nil for the atom 0.
  private static func answer(_ atoms: [UInt32]) -> [[UInt8]?] {
    atoms.map { $0 == 0 ? nil : Array("type/\($0)".utf8) }
  }

  @Test("Names have the order of the atoms") func namesHaveTheOrderOfTheAtoms() {
    var names = AtomNames()
    #expect(
      names.names(of: [3, 0, 1, 3], requesting: Self.answer) == ["type/3", "type/1", "type/3"])
  }

  @Test("A name is requested once") func aNameIsRequestedOnce() {
    var names = AtomNames()
    _ = names.names(of: [1, 2, 1], requesting: Self.answer)
    var requested: [UInt32] = []
    let result = names.names(of: [2, 3, 1]) { atoms in
      requested += atoms
      return Self.answer(atoms)
    }
    #expect(requested == [3])
    #expect(result == ["type/2", "type/3", "type/1"])
  }

  @Test("A name of more than 255 bytes is omitted") func aNameOfMoreThan255BytesIsOmitted() {
    var names = AtomNames()
    let result = names.names(of: [255, 256]) { atoms in
      atoms.map { [UInt8](repeating: 120, count: Int($0)) }
    }
    #expect(result == [String(repeating: "x", count: 255)])
  }

  /// If a name were missing, the mark of a secret could be overlooked.
  @Test("No name is missing when the store is full") func noNameIsMissingWhenTheStoreIsFull() {
    var names = AtomNames()
    let secret: UInt32 = 1
    for first in stride(from: secret, through: 10_000, by: 100) {
      let atoms = [secret] + (first..<first + 100)
      #expect(names.names(of: atoms, requesting: Self.answer) == atoms.map { "type/\($0)" })
    }
  }

  @Test("The number of stored names is limited") func theNumberOfStoredNamesIsLimited() {
    var names = AtomNames()
    var requests = 0
    let all = Array(stride(from: UInt32(1), to: 20_000, by: 1_000))
    for _ in 0..<2 {
      for first in all {
        _ = names.names(of: Array(first..<first + 1_000)) { atoms in
          requests += atoms.count
          return Self.answer(atoms)
        }
      }
    }
    #expect(requests == 40_000)
  }
}

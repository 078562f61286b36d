import Testing

@testable import DragboardStore

@Suite("SHA-256")
struct SHA256Tests {
  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private func sum(_ pieces: [[UInt8]]) -> String {
    var sum = SHA256()
    for piece in pieces { piece.withUnsafeBytes { sum.update($0) } }
    return hex(sum.value)
  }

  @Test(
    "The digests are those of FIPS 180-4",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        String(repeating: "a", count: 1_000_000),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
      ),
    ])
  func vectors(text: String, digest: String) {
    #expect(sum([Array(text.utf8)]) == digest)
  }

  @Test("The division of the bytes does not matter")
  func pieces() {
    let bytes = (0..<300).map { UInt8($0 & 255) }
    for length in [1, 3, 55, 56, 63, 64, 65, 128, 299] {
      let pieces = stride(from: 0, to: bytes.count, by: length).map {
        Array(bytes[$0..<min($0 + length, bytes.count)])
      }
      #expect(sum(pieces) == sum([bytes]))
    }
  }
}

import DragModel
import TestSupport
import Testing

@Suite("UTF-8 in pieces")
struct UTF8CheckTests {
  /// The limits in table 3-7 of the Unicode standard, "Well-Formed UTF-8 Byte Sequences", and the
  /// bytes just beyond each limit.
  static let nasty: [[UInt8]] = [
    [], [0x00], [0x7F], [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2, 0x80], [0xC2, 0x7F],
    [0xDF, 0xBF], [0xDF, 0xC0], [0xE0, 0xA0, 0x80], [0xE0, 0x9F, 0xBF], [0xE1, 0x80, 0x80],
    [0xEC, 0xBF, 0xBF], [0xED, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
    [0xEF, 0xBF, 0xBF], [0xEF, 0xBB, 0xBF], [0xF0, 0x90, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
    [0xF4, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
    [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80], [0xFE], [0xFF, 0xFF],
    [0xC2], [0xE1], [0xE1, 0x80], [0xF1], [0xF1, 0x80], [0xF1, 0x80, 0x80], [0xE1, 0x41],
    [0xE1, 0x80, 0x41], [0xF1, 0x80, 0x80, 0x41], [0xF1, 0x80, 0xC2, 0xA9], [0xC2, 0xC2, 0xA9],
    [0x80, 0x80, 0x80, 0x80], [0xF0, 0x80], [0xE0, 0x80], [0xED, 0xA0],
  ]

  @Test("Invalid sequences are found at any position and in any division", arguments: nasty)
  func nastySequences(sequence: [UInt8]) {
    let surroundings: [([UInt8], [UInt8])] = [
      ([], []), ([0x61], [0x62]), (Array("é".utf8), Array("😀".utf8)), ([], Array("漢".utf8)),
      (Array("ab漢".utf8), []), ([], [0x80]), ([0xF1], []),
    ]
    for (before, after) in surroundings {
      let bytes = before + sequence + after
      let place = WireText.firstInvalidByte(in: bytes.span)
      for pieces in Self.cuts(of: bytes) { Self.check(pieces, place) }
    }
  }

  @Test("The division of bytes does not change the result", arguments: 1...4)
  func anyBytes(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var valid = 0
    for _ in 0..<400 {
      let bytes = Self.bytes(Int.random(in: 0...30, using: &random), &random)
      let place = WireText.firstInvalidByte(in: bytes.span)
      valid += place == nil ? 1 : 0
      for _ in 0..<4 { Self.check(Self.pieces(of: bytes, &random), place) }
      Self.check(bytes.map { [$0] }, place)
    }
    #expect(valid > 40 && valid < 360)
  }

  @Test("A fault stays the result, whatever bytes follow")
  func stays() {
    var check = UTF8Check()
    check.take([0x61, 0xFF, 0x62].span)
    #expect(check.firstInvalidByte == 1)
    check.take([0xFF].span)
    check.finish()
    #expect(check.firstInvalidByte == 1)
  }

  @Test("An incomplete sequence is a fault only at the end")
  func unfinished() {
    var check = UTF8Check()
    check.take([0x61, 0xF0, 0x9F].span)
    check.take([UInt8]().span)
    check.take([0x98].span)
    #expect(check.firstInvalidByte == nil)
    var finished = check
    finished.finish()
    #expect(finished.firstInvalidByte == 1)
    check.take([0x80].span)
    check.finish()
    #expect(check.firstInvalidByte == nil)
  }

  /// Expects that the check reports this position at the latest at the end of the chunks, and no
  /// other position.
  private static func check(_ pieces: [[UInt8]], _ place: Int?) {
    var check = UTF8Check()
    for piece in pieces {
      check.take(piece.span)
      if let found = check.firstInvalidByte { #expect(found == place, "\(pieces)") }
    }
    check.finish()
    #expect(check.firstInvalidByte == place, "\(pieces)")
  }

  /// Returns the bytes whole, divided into single bytes, divided at each position, and at each pair
  /// of positions.
  private static func cuts(of bytes: [UInt8]) -> [[[UInt8]]] {
    var all = [[bytes], bytes.map { [$0] }]
    for first in 0...bytes.count {
      for second in first...bytes.count {
        all.append([Array(bytes[..<first]), Array(bytes[first..<second]), Array(bytes[second...])])
      }
    }
    return all
  }

  private static func pieces(of bytes: [UInt8], _ random: inout SplitMix64) -> [[UInt8]] {
    var (rest, pieces) = (bytes[...], [[UInt8]]())
    while !rest.isEmpty {
      let count = Int.random(in: 0...min(9, rest.count), using: &random)
      pieces.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return pieces
  }

  /// Returns text in which some bytes are changed, removed or inserted.
  private static func bytes(_ count: Int, _ random: inout SplitMix64) -> [UInt8] {
    let scalars: [Unicode.Scalar] = [
      "a", "\0", "\u{7F}", "é", "\u{80}", "\u{7FF}", "漢", "\u{800}", "\u{FFFF}", "😀", "\u{10FFFF}",
    ]
    var bytes: [UInt8] = []
    for _ in 0..<count { bytes += String(scalars.randomElement(using: &random) ?? "a").utf8 }
    guard !bytes.isEmpty else { return bytes }
    for _ in 0..<Int.random(in: 0...2, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: bytes.indices, using: &random)
      switch UInt8.random(in: 0...3, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(UInt8.random(in: 0x80...0xFF, using: &random), at: place)
      default: bytes.removeSubrange(place...)
      }
    }
    return bytes
  }
}

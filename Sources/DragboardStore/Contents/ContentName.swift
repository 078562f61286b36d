/// What a file in the folder of contents is called.
enum ContentName: Hashable {
  /// A content, by its digest: 64 hexadecimal digits.
  case content(ContentDigest)

  /// A content that is being written, or has not been published: `new-RUN-NUMBER`.
  case temporary(run: String)

  /// Reads a name; nil for what is called otherwise, and belongs to somebody else.
  init?(_ name: String) {
    if let digest = ContentDigest(hex: name) {
      self = .content(digest)
      return
    }
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "new", parts[1].utf8.count == Self.runLength,
      UInt64(parts[1], radix: 16) != nil, UInt64(parts[2]) != nil
    else { return nil }
    self = .temporary(run: String(parts[1]))
  }

  private static let runLength = 16

  /// What this opening of the folder is called, unlike every other one.
  static func newRun() -> String {
    let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
    return String(repeating: "0", count: runLength - digits.count) + digits
  }

  /// The name of a temporary file.
  static func temporary(run: String, number: UInt64) -> String { "new-\(run)-\(number)" }
}

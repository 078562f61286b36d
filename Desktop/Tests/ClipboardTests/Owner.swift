import DragboardClient
import Foundation
import TestSupport

/// A type that an owner offers.
struct OfferedType {
  let name: String
  /// The path of a file, `@hang` or `@endless`.
  let source: String
}

extension ClipboardDesk {
  static let mutterPeer = peer("mutter-peer")
  private static let toolkitPeer = peer("toolkit-peer")

  /// Returns the path of a script that acts as another program.
  static func peer(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../ClipboardPeer/\(name)").standardized.path
  }

  /// Starts a program that owns the clipboard with these types.
  func own(_ types: OfferedType...) throws -> TestProgram { try own(types) }

  func own(_ types: [OfferedType]) throws -> TestProgram {
    let program = display.isMutter ? [Self.mutterPeer, "own"] : ["clipboard-peer"]
    let owner = try TestProgram(program + types.map { "\($0.name)=\($0.source)" }, environment)
    // Mutter reads a type before it reports the new owner.
    guard owner.nextLineWithoutRequests() == "owner" else {
      throw TestProgram.Failure(description: "the peer does not own the clipboard")
    }
    return owner
  }

  /// Starts a shell command, and does not wait until it ends.
  func start(_ command: String) throws -> TestProgram {
    try TestProgram(["bash", "-c", command], environment)
  }

  /// Returns an offer of bytes.
  func type(_ name: String, _ bytes: [UInt8]) throws -> OfferedType {
    OfferedType(name: name, source: try file(bytes))
  }

  func type(_ name: String, _ text: String) throws -> OfferedType {
    try type(name, Array(text.utf8))
  }

  /// Returns the names of the clipboard's types, as another program reads them.
  func offeredNames() throws -> [String] {
    let command =
      switch display {
      case .x11, .openbox: "xclip -o -selection clipboard -t TARGETS"
      case .ext, .labwc, .kwin: "clipboard-peer --types"
      case .sway: "wl-paste -l"
      case .mutter, .lockableMutter, .gnomeShell, .gnomeExtension: "\(Self.mutterPeer) types"
      }
    return try shell("timeout -s KILL 60 \(command)").split(separator: "\n").map(String.init)
      .filter { $0 != "TARGETS" && $0 != "TIMESTAMP" }
  }

  /// Pastes a type with a program, and returns the SHA-256 of its bytes.
  func pastedHash(_ name: String) throws -> String {
    let command =
      switch display {
      case .x11, .openbox: "xclip -o -selection clipboard -t '\(name)'"
      case .ext, .labwc, .kwin: "clipboard-peer --paste '\(name)'"
      case .sway: "wl-paste -n -t '\(name)'"
      case .mutter, .lockableMutter, .gnomeShell, .gnomeExtension:
        "\(Self.mutterPeer) paste '\(name)'"
      }
    return try shell("set -o pipefail; timeout -s KILL 60 \(command) | sha256sum")
  }

  // MARK: Toolkits

  /// Starts a program written with a toolkit, which owns the clipboard with these types.
  func own(_ types: [OfferedType], by toolkit: String) throws -> TestProgram {
    let owner = try TestProgram(
      [Self.toolkitPeer, toolkit, "own"] + types.map { "\($0.name)=\($0.source)" }, environment)
    let keyboard = try pressKeys()
    defer { keyboard?.kill() }
    guard owner.nextLine() == "owner" else {
      throw TestProgram.Failure(description: "the program of \(toolkit) does not own the clipboard")
    }
    return owner
  }

  /// Pastes all types with a program written with a toolkit.
  ///
  /// - Returns: the SHA-256 hash of each type.
  func pastedHashes(by toolkit: String) throws -> [String: String] {
    let keyboard = try pressKeys()
    defer { keyboard?.kill() }
    let output = try shell("timeout -s KILL 60 \(Self.toolkitPeer) \(toolkit) paste")
    let pairs = output.split(separator: "\n").compactMap { line in
      line.lastIndex(of: " ").map { (String(line[..<$0]), line[$0...].dropFirst() + "  -") }
    }
    return Dictionary(pairs.map { ($0, String($1)) }) { first, _ in first }
  }

  /// Starts a program that presses a key repeatedly, because a Wayland window can use the clipboard
  /// only while it has the keyboard focus.
  func pressKeys() throws -> TestProgram? {
    switch display {
    case .x11, .openbox, .ext: nil
    // When a keyboard is removed, a program of GTK 3 cancels its paste. So the keyboard stays for
    // 60 seconds.
    case .sway, .labwc: try start("exec wtype $(printf 'a -s 300 %.0s' {1..200})")
    case .kwin:
      try start(
        "while sleep 0.3; do echo key a; done | \(Checkout.path("Desktop/Tests/screen")) >/dev/null"
      )
    case .mutter, .lockableMutter, .gnomeShell, .gnomeExtension:
      try TestProgram([Self.mutterPeer, "keys"], environment)
    }
  }

  /// Returns the SHA-256 of a type of a row.
  func hash(of row: Row, _ type: String) throws -> String {
    try shell(
      "set -o pipefail; dragboard get \(row.id) --board clipboard --type '\(type)' | sha256sum")
  }

  /// Returns an offer of `byteCount` random bytes.
  func type(_ name: String, byteCount: Int) throws -> OfferedType {
    let type = try type(name, [])
    try shell("head -c \(byteCount) /dev/urandom > '\(type.source)'")
    return type
  }

  /// Returns the SHA-256 of a file.
  func hash(_ path: String) throws -> String { try shell("sha256sum < '\(path)'") }

  /// Returns random bytes, which are the same for the same seed.
  static func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed | 1
    return (0..<count).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state)
    }
  }
}

/// A counter of the changes of the owner of X11's clipboard.
struct ChangeCount {
  fileprivate let program: TestProgram

  /// Stops counting, and returns the count.
  func count() -> Int {
    program.kill()
    var count = 0
    while program.nextLine() != nil { count += 1 }
    return count
  }
}

extension ClipboardDesk {
  /// Starts counting.
  func countChanges() throws -> ChangeCount {
    let program = try start("exec clipboard-peer --count")
    guard program.nextLine() == "ready" else {
      throw TestProgram.Failure(description: "the peer does not count")
    }
    return ChangeCount(program: program)
  }
}

extension TestProgram {
  /// Waits for the next line that does not report a request.
  func nextLineWithoutRequests() -> String? {
    var line = nextLine()
    while let text = line, text.hasPrefix("asked") { line = nextLine() }
    return line
  }
}

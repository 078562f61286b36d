import Files
import Glibc
import Logging

/// The portal's token for a permission that the user has granted.
///
/// With the token, the desktop permits the bridge to press keys again without a question. So it is a secret of
/// the user, and its file is readable only by the user.
struct PasteToken {
  private static let maxByteCount = 256

  private let directory: String?
  private var path: String? { directory.map { $0 + "/paste-permission" } }

  /// Names the file in the user's directory for states.
  init() { directory = Environment.directory(.state).map { $0 + "/dragboard" } }

  /// The stored token; nil if there is none.
  var text: String? {
    guard let path, let file = try? FileDescriptor(opening: path, O_RDONLY | O_NOFOLLOW),
      let bytes = try? file.readPrefix(Self.maxByteCount + 1)
    else { return nil }
    return Self.isValid(bytes) ? String(decoding: bytes, as: UTF8.self) : nil
  }

  private static func isValid(_ bytes: [UInt8]) -> Bool {
    1...maxByteCount ~= bytes.count && bytes.allSatisfy { 0x21...0x7E ~= $0 }
  }

  /// Stores a token in place of an earlier one; nil removes that.
  func store(_ text: String?) {
    guard let path, let directory else { return }
    let bytes = Array((text ?? "").utf8)
    guard Self.isValid(bytes) else {
      unlink(path)
      return
    }
    if let parent = Environment.directory(.state) { Self.makeDirectories(parent) }
    mkdir(directory, 0o700)
    do { try AtomicFile.write(bytes, to: path) } catch {
      log.warning("the permission to paste ends with this program: \(error)")
    }
  }

  /// Makes a directory and those above it, which a new user does not have.
  private static func makeDirectories(_ path: String) {
    for (index, character) in path.enumerated() where character == "/" && index > 0 {
      mkdir(String(path.prefix(index)), 0o700)
    }
    mkdir(path, 0o700)
  }
}

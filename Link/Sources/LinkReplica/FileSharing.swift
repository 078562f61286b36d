internal import DragboardClient
internal import Files
internal import Glibc
internal import LinkModel

/// The rules for files to which rows of a shared board refer.
///
/// The bytes of a file cross if the user of this machine dropped it on the board just now, and has
/// allowed it for the board. The path of a row that a sandboxed program inserted, or that came from
/// another machine, is never opened.
public struct FileSharing: Sendable {
  /// The maximum number of bytes of a file.
  static let maxBytes = 64 << 20
  /// The time after the insertion of a row in which its file is opened.
  static let maxAge = Duration.seconds(60)

  /// The name of this machine in the group.
  let machine: String
  let isAllowed: @Sendable () -> Bool

  /// Creates rules.
  ///
  /// - Parameters:
  ///   - machine: the name of this machine in the group.
  ///   - isAllowed: returns whether the user has allowed files for the board.
  public init(machine: String, isAllowed: @escaping @Sendable () -> Bool = { false }) {
    (self.machine, self.isAllowed) = (machine, isAllowed)
  }

  /// Returns the bytes of the file to which a row refers; nil if they must not cross.
  func bytes(of reference: FileReference, in row: Row) -> [UInt8]? {
    guard FileReference.isOpenable(fromSource: row.source),
      Self.maxAge > .microseconds(Int64(clamping: Self.now)) - row.created, isAllowed()
    else { return nil }
    return Self.read(reference)
  }

  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UInt64(clamping: time.tv_sec) * 1_000_000 + UInt64(clamping: time.tv_nsec) / 1_000
  }

  private static func read(_ reference: FileReference) -> [UInt8]? {
    guard let descriptor = try? reference.open(), let count = try? descriptor.byteCount(),
      count <= maxBytes
    else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    do {
      try descriptor.forEachPiece {
        bytes.append(contentsOf: $0)
        return bytes.count <= maxBytes
      }
    } catch { return nil }
    return bytes.count <= maxBytes ? bytes : nil
  }
}

extension FileReference {
  /// Returns the type in the daemon of a list of addresses of another machine.
  static func localType(ofList bytes: [UInt8]) -> String {
    FileReference(bytes) == nil ? listType : foreignType
  }

  /// Returns the type on the shared board of a representation in the daemon.
  static func sharedType(of type: String) -> String {
    type == foreignType ? listType : SharedRow.Representation.sharedType(of: type)
  }
}

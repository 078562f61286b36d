import DBus
import Files

/// A file that the daemon sent: a sealed memfd or a read-only file.
///
/// It is closed when the last reference is released.
public final class ReceivedFile: Sendable {
  private let file: FileDescriptor

  init(_ file: FileDescriptor) { self.file = file }

  /// Adopts the descriptor of a file that another program can no longer change.
  public convenience init(adopting descriptor: Int32) {
    self.init(FileDescriptor(adopting: descriptor))
  }

  /// The descriptor.
  ///
  /// It is open as long as this object exists.
  public var descriptor: Int32 { file.number }

  /// The size of the file in bytes.
  ///
  /// - Throws: `inputOutput`.
  public var byteCount: Int {
    get throws(DragboardError) { try file.byteCount }
  }

  /// Reads bytes at `offset` without using the file's own offset.
  ///
  /// - Returns: the number of bytes that were read; 0 at the end.
  /// - Throws: `inputOutput`.
  public func read(
    from offset: Int, into piece: UnsafeMutableRawBufferPointer
  ) throws(DragboardError) -> Int {
    try file.read(from: offset, into: piece)
  }

  /// Calls `body` with all bytes, in order, in chunks of at most 1 MiB.
  ///
  /// - Throws: `inputOutput` if the file cannot be read; the errors of `body`.
  public func read(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    try file.readAll(body)
  }

  /// Reads all bytes.
  ///
  /// - Throws: `inputOutput`.
  public func bytes() throws(DragboardError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(try byteCount)
    do { try read { bytes.append(contentsOf: $0) } } catch let error as DragboardError {
      throw error
    } catch {
      throw DragboardError(.inputOutput, "\(error)")
    }
    return bytes
  }
}

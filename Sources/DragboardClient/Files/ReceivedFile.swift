import DBus
import Files

/// Bytes that came as a file: a sealed memfd or a read-only file, closed with the last reference.
public final class ReceivedFile: Sendable {
  private let file: FileDescriptor

  init(_ file: FileDescriptor) { self.file = file }

  /// The descriptor, good as long as this object is.
  public var descriptor: Int32 { file.number }

  /// How many bytes it holds.
  ///
  /// - Throws: `inputOutput`.
  public var byteCount: Int {
    get throws(DragboardError) { try file.byteCount }
  }

  /// Reads bytes at `offset`, independently of the file's own offset.
  ///
  /// - Returns: how many were read; 0 at the end.
  /// - Throws: `inputOutput`.
  public func read(
    from offset: Int, into piece: UnsafeMutableRawBufferPointer
  ) throws(DragboardError) -> Int {
    try file.read(from: offset, into: piece)
  }

  /// Hands all bytes to `body`, in order, in pieces of at most 1 MiB.
  ///
  /// - Throws: `inputOutput`, or what `body` throws.
  public func read(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    try file.readAll(body)
  }

  /// All bytes.
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

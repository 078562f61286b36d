import DBus
import DragModel
import DragboardStore
import Files

extension ClientFile {
  /// Checks and adopts a descriptor.
  ///
  /// - Throws: InvalidArgs for a pipe, a directory, a device, or an unreadable file.
  init(argument: String, _ descriptor: FileDescriptor) throws(DBusError) {
    do throws(Fault) { self = try ClientFile(descriptor) } catch {
      throw DBusError(.invalidArgs, "\(argument)\(error)")
    }
  }

  /// The resource for which reading the file may have to wait.
  ///
  /// Kernel file systems such as btrfs and overlay have no device number, like FUSE and network
  /// file systems; the mount table distinguishes them.
  var workKind: WorkKind {
    if isSealed { return .storage }
    let isLocal = isLocal || mountNumber.map { ProcessInspection.isLocal(mount: $0) } ?? false
    return isLocal ? .localFile : .remoteFile
  }

  /// Copies the bytes, unless the file is sealed.
  ///
  /// Reading the file may take forever, so this must run on a thread for such files (``workKind``).
  ///
  /// - Parameters:
  ///   - type: the type of the bytes.
  ///   - max: the maximum number of bytes.
  ///   - reading: records each piece.
  ///   - contents: makes a file for many bytes.
  ///   - argument: the name of the argument that brought the file.
  /// - Returns: the bytes.
  /// - Throws: LimitsExceeded past `max` bytes, InvalidArgs for plain text that is not UTF-8,
  ///   IOError.
  func taken(
    as type: ContentType, max: Int, noting reading: FileReading = FileReading(),
    in contents: ContentDirectory, argument: String
  ) throws(DBusError) -> Payload {
    let tooLarge = DBusError.limit("\(argument): max-representation-bytes", max)
    guard byteCount <= max else { throw tooLarge }
    if isSealed {
      if type.isPlainText { try check(type, argument: argument) }
      return .sealed(self)
    }
    let writer = PayloadWriter(type, in: contents)
    try copy(to: writer, max: max, tooLarge, noting: reading)
    reading.noteEnd()
    let bytes: Payload
    do throws(StoreError) { bytes = try writer.finish() } catch { throw error.answer }
    if let place = writer.firstInvalidByte { throw type.invalidText(at: place, argument: argument) }
    return bytes
  }

  private func copy(
    to writer: PayloadWriter, max: Int, _ tooLarge: DBusError, noting reading: FileReading
  ) throws(DBusError) {
    var count = 0
    // Of a growing file, no more is read than is needed to see that it is too large.
    try forEachPieceAnswering(upTo: max + 1) { piece throws(DBusError) in
      try reading.notePiece()
      count += piece.count
      guard count <= max else { throw tooLarge }
      do throws(StoreError) { try writer.append(piece) } catch { throw error.answer }
    }
  }

  private func check(_ type: ContentType, argument: String) throws(DBusError) {
    var check = UTF8Check()
    try forEachPieceAnswering(upTo: byteCount) { piece throws(DBusError) in
      let text = piece.bindMemory(to: UInt8.self)
      check.take(text.span)
    }
    check.finish()
    if let place = check.firstInvalidByte { throw type.invalidText(at: place, argument: argument) }
  }

  /// Calls `body` with the bytes, piece by piece, until it throws.
  ///
  /// - Throws: errors of `body`; IOError if the file cannot be read.
  private func forEachPieceAnswering(
    upTo limit: Int, _ body: (UnsafeRawBufferPointer) throws(DBusError) -> Void
  ) throws(DBusError) {
    var failure: DBusError?
    do throws(FileError) {
      try forEachPiece(upTo: limit) { piece in
        do throws(DBusError) { try body(piece) } catch { failure = error }
        return failure == nil
      }
    } catch { throw DBusError(.ioError, "\(error)") }
    if let failure { throw failure }
  }
}

extension ContentType {
  /// Throws if the bytes are not valid for the type.
  ///
  /// - Throws: InvalidArgs for plain text that is not UTF-8.
  func check(_ data: [UInt8], argument: String) throws(DBusError) {
    if isPlainText, let place = WireText.firstInvalidByte(in: data.span) {
      throw invalidText(at: place, argument: argument)
    }
  }

  /// The error for plain text that is not UTF-8.
  func invalidText(at place: Int, argument: String) -> DBusError {
    DBusError(
      .invalidArgs,
      "\(argument) is not valid UTF-8 from byte \(place) on, and \(self) is; text of another encoding is text/plain"
    )
  }
}

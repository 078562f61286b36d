import Callers
import DBus
import DragModel
import DragboardStore
import Files

extension ClientFile {
  /// Checks and adopts a descriptor.
  ///
  /// - Throws: InvalidArgs if it refers to a pipe, a directory, a device, or an unreadable file.
  init(argument: String, _ descriptor: FileDescriptor) throws(DBusError) {
    do throws(Fault) { self = try ClientFile(descriptor) } catch {
      throw DBusError(.invalidArgs, "\(argument): \(error)")
    }
  }

  /// The resource for which reading the file may have to wait.
  ///
  /// FUSE and network file systems have no device number. Some local file systems, such as btrfs
  /// and overlay, have none, either. The mount table tells them apart.
  var workKind: WorkKind {
    if isSealed { return .storage }
    let isLocal = isLocal || mountNumber.map { ProcessInspection.isLocal(mount: $0) } ?? false
    return isLocal ? .localFile : .remoteFile
  }

  /// Checks the bytes, and copies them unless the file is sealed.
  ///
  /// Reading the file may take forever, so call it on a thread for ``workKind``.
  ///
  /// - Parameters:
  ///   - type: the type of the bytes.
  ///   - max: the maximum number of bytes.
  ///   - reading: records each piece.
  ///   - contents: the directory for the copy if there are many bytes.
  ///   - argument: the name of the argument with the descriptor.
  /// - Returns: the bytes.
  /// - Throws: LimitsExceeded if there are more than `max` bytes; InvalidArgs if plain text is not
  ///   UTF-8; IOError.
  func taken(
    as type: MIMEType, max: Int, noting reading: FileReading = FileReading(),
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
    // A file may grow while it is read. One byte more than `max` shows that it is too large.
    try forEachPieceAnswering(upTo: max + 1) { piece throws(DBusError) in
      try reading.notePiece()
      count += piece.count
      guard count <= max else { throw tooLarge }
      do throws(StoreError) { try writer.append(piece) } catch { throw error.answer }
    }
  }

  private func check(_ type: MIMEType, argument: String) throws(DBusError) {
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
  /// - Throws: the error of `body`; IOError if the file cannot be read.
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

extension MIMEType {
  /// Refuses bytes that are not valid for the type.
  ///
  /// - Throws: InvalidArgs if plain text is not UTF-8.
  func check(_ data: [UInt8], argument: String) throws(DBusError) {
    if isPlainText, let place = WireText.firstInvalidByte(in: data.span) {
      throw invalidText(at: place, argument: argument)
    }
  }

  /// Returns the error for plain text that is not UTF-8.
  func invalidText(at place: Int, argument: String) -> DBusError {
    DBusError(
      .invalidArgs,
      "\(argument): byte \(place) is not valid UTF-8 (\(self) requires UTF-8; use text/plain for other encodings)"
    )
  }
}

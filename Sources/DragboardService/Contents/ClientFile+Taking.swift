import DBus
import DragModel

extension ClientFile {
  /// Takes the file over: copies what it holds, unless it is sealed.
  ///
  /// It reads the file, which may take for ever: for a thread for such files (``workKind``).
  ///
  /// - Parameters:
  ///   - type: what the bytes are.
  ///   - max: the maximum number of bytes.
  ///   - reading: notes each piece.
  ///   - makeFile: makes a file for many bytes.
  /// - Returns: what the file holds.
  /// - Throws: LimitsExceeded past `max` bytes, InvalidArgs for plain text that is no UTF-8, IOError.
  func taken(
    as type: ContentType, max: Int, noting reading: FileReading = FileReading(),
    makeFile: @escaping SpoolMaker
  ) throws(DBusError) -> Bytes {
    guard byteCount <= max else { throw .limit("fd: max-representation-bytes", max) }
    if isSealed {
      if type.isPlainText { try check(type) }
      return .sealed(self)
    }
    let spool = Spool(type, makeFile: makeFile)
    var count = 0
    do throws(PieceError<DBusError>) {
      // A file that grows is read no further than to see that it is too large.
      try forEachPiece(upTo: max + 1) { (piece) throws(DBusError) in
        try reading.notePiece()
        count += piece.count
        guard count <= max else { throw .limit("fd: max-representation-bytes", max) }
        do throws(RepositoryError) { try spool.append(piece) } catch { throw error.answer }
      }
    } catch { throw error.answer }
    reading.noteEnd()
    let bytes: Bytes
    do throws(RepositoryError) { bytes = try spool.finish() } catch { throw error.answer }
    if let place = spool.firstInvalidByte { throw type.invalidText(at: place, argument: "fd") }
    return bytes
  }

  private func check(_ type: ContentType) throws(DBusError) {
    var check = UTF8Check()
    do throws(PieceError<Never>) {
      try forEachPiece(upTo: byteCount) { (piece) throws(Never) in
        let text = piece.bindMemory(to: UInt8.self)
        check.take(text.span)
      }
    } catch { throw error.asRepositoryError.answer }
    check.finish()
    if let place = check.firstInvalidByte { throw type.invalidText(at: place, argument: "fd") }
  }
}

extension PieceError<DBusError> {
  fileprivate var answer: DBusError {
    switch self {
    case .reading(let error): error.answer
    case .body(let error): error
    }
  }
}

extension ContentType {
  /// Refuses bytes that are not what the type promises.
  ///
  /// - Throws: InvalidArgs for plain text that is no UTF-8.
  func check(_ data: [UInt8], argument: String) throws(DBusError) {
    if isPlainText, let place = WireText.firstInvalidByte(in: data.span) {
      throw invalidText(at: place, argument: argument)
    }
  }

  /// What a client is told of plain text that is none.
  func invalidText(at place: Int, argument: String) -> DBusError {
    DBusError(
      .invalidArgs,
      "\(argument) is not valid UTF-8 from byte \(place) on, and \(self) is; text of another encoding is text/plain"
    )
  }
}

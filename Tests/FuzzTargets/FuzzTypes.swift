internal import DragModel

/// Parses any text as a content type, a query, a preview and a name.
///
/// An accepted text is in its normal form.
func fuzzTypes(_ bytes: UnsafeRawBufferPointer) {
  let text = String(decoding: bytes, as: UTF8.self)
  checkType(text)
  checkText(text)
  bytes.withMemoryRebound(to: UInt8.self) { checkBytes($0) }
}

private func checkType(_ text: String) {
  if let query = try? TypeQuery(parsing: text) {
    guard let again = try? TypeQuery(parsing: query.description) else {
      fatalError("\(query) is not a query")
    }
    precondition(again.description == query.description, "\(query) has another normal form")
  }
  guard let type = try? MIMEType(parsing: text) else { return }
  precondition((try? MIMEType(stored: text)) == type, "\(type) is read otherwise when stored")
  precondition(type.essence.utf8.allSatisfy(isNameByte), "\(type) has a name that RFC 6838 forbids")
  precondition(type.mime.utf8.count <= MIMEType.maxLength, "\(type) is too long")
  guard let again = try? MIMEType(parsing: type.mime) else {
    fatalError("\(type) is not a type")
  }
  precondition(again == type && again.mime == type.mime, "\(type) has another normal form")
  precondition(TypeQuery(type).matches(type), "\(type) does not conform to itself")
  precondition(TypeQuery.any.matches(type), "\(type) does not conform to */*")
}

private func isNameByte(_ byte: UInt8) -> Bool {
  "abcdefghijklmnopqrstuvwxyz0123456789!#$&-^_.+/".utf8.contains(byte)
}

private func checkText(_ text: String) {
  let preview = Preview.of(text)
  precondition(preview.unicodeScalars.count <= Preview.maxLength)
  // The comparison is by scalars, because the cut can divide a character.
  precondition(
    preview.unicodeScalars.starts(with: Preview.of(preview).unicodeScalars),
    "a preview has another preview")
  let carried = WireText.sanitized(text)
  precondition(!carried.unicodeScalars.contains("\0"))
  precondition(WireText.sanitized(carried) == carried)
  if let name = try? Label(text) {
    precondition(name.text.unicodeScalars.count <= Label.maxLength)
  }
}

/// Checks that the division of the bytes into chunks does not change the result.
private func checkBytes(_ bytes: UnsafeBufferPointer<UInt8>) {
  let whole = firstInvalidByte(bytes, piece: max(bytes.count, 1))
  for piece in [1, 2, 3, 7] {
    precondition(firstInvalidByte(bytes, piece: piece) == whole, "in pieces of \(piece)")
  }
  let isValid = String(validating: bytes, as: UTF8.self) != nil
  precondition(
    (whole == nil) == isValid, "the first invalid byte is \(whole.map(String.init) ?? "none")")
}

private func firstInvalidByte(_ bytes: UnsafeBufferPointer<UInt8>, piece: Int) -> Int? {
  var check = UTF8Check()
  for start in stride(from: 0, to: bytes.count, by: piece) {
    let part = UnsafeBufferPointer(rebasing: bytes[start..<min(start + piece, bytes.count)])
    check.take(Span(_unsafeElements: part))
  }
  check.finish()
  return check.firstInvalidByte
}

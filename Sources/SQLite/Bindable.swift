public import CSQLite

/// A value that can be bound to a parameter of a statement.
public protocol Bindable {
  /// Binds the value, and returns SQLite's result code.
  func bind(to statement: OpaquePointer, at position: Int32) -> Int32
}

extension Int64: Bindable {
  /// Binds the value, and returns SQLite's result code.
  @inlinable
  public func bind(to statement: OpaquePointer, at position: Int32) -> Int32 {
    sqlite3_bind_int64(statement, position, self)
  }
}

/// A Boolean is bound as 0 or 1.
extension Bool: Bindable {
  /// Binds the value, and returns SQLite's result code.
  @inlinable
  public func bind(to statement: OpaquePointer, at position: Int32) -> Int32 {
    sqlite3_bind_int(statement, position, self ? 1 : 0)
  }
}

/// A string is copied, so it should be short. It may contain U+0000.
extension String: Bindable {
  /// Binds the value, and returns SQLite's result code.
  @inlinable
  public func bind(to statement: OpaquePointer, at position: Int32) -> Int32 {
    var text = self
    return text.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) { characters in
        guard let start = characters.baseAddress else {
          return sqlite3_bind_text(statement, position, "", 0, CSQLITE_STATIC)
        }
        return sqlite3_bind_text64(
          statement, position, start, UInt64(characters.count), CSQLITE_TRANSIENT,
          UInt8(SQLITE_UTF8))
      }
    }
  }
}

/// The bytes are not copied, so they must stay valid until the statement has run.
extension UnsafeRawBufferPointer: Bindable {
  /// Binds the value, and returns SQLite's result code.
  @inlinable
  public func bind(to statement: OpaquePointer, at position: Int32) -> Int32 {
    guard let baseAddress else { return sqlite3_bind_zeroblob(statement, position, 0) }
    return sqlite3_bind_blob64(statement, position, baseAddress, UInt64(count), CSQLITE_STATIC)
  }
}

/// Nil is bound as NULL, which is the value of every unbound parameter.
extension Optional: Bindable where Wrapped: Bindable {
  /// Binds the value, and returns SQLite's result code.
  @inlinable
  public func bind(to statement: OpaquePointer, at position: Int32) -> Int32 {
    self?.bind(to: statement, at: position) ?? SQLITE_OK
  }
}

/// The bytes are copied.
extension Array: Bindable where Element == UInt8 {
  /// Binds the value, and returns SQLite's result code.
  @inlinable
  public func bind(to statement: OpaquePointer, at position: Int32) -> Int32 {
    withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else {
        return sqlite3_bind_zeroblob(statement, position, 0)
      }
      return sqlite3_bind_blob64(
        statement, position, start, UInt64(bytes.count), CSQLITE_TRANSIENT)
    }
  }
}

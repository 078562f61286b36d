internal import CSQLite

/// FTS5's division of texts into words, with the options of the index of words.
///
/// Source: <https://sqlite.org/fts5.html#custom_tokenizers>.
public final class Tokenizer {
  private let database: Database
  private var functions = fts5_tokenizer()
  /// Nil before the first use.
  private var instance: OpaquePointer?

  /// Creates a tokenizer, which is opened at its first use.
  public init(_ database: Database) { self.database = database }

  deinit {
    if let instance { functions.xDelete(instance) }
  }

  /// Passes the words of a text to `body`, in order, without case, until it returns false.
  public func forEachToken(of text: String, _ body: (String) -> Bool) throws(SQLiteError) {
    let instance = try opened()
    let code = withoutActuallyEscaping(body) { body in
      var body = body
      var text = text
      return text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { characters in
          withUnsafeMutablePointer(to: &body) { context in
            functions.xTokenize(
              instance, context, FTS5_TOKENIZE_DOCUMENT, characters.baseAddress,
              Int32(characters.count)
            ) { context, _, token, count, _, _ in
              let body = context?.assumingMemoryBound(to: ((String) -> Bool).self).pointee
              let bytes = UnsafeRawBufferPointer(start: token, count: Int(count))
              return body?(String(decoding: bytes, as: UTF8.self)) == true ? SQLITE_OK : SQLITE_DONE
            }
          }
        }
      }
    }
    guard code == SQLITE_OK || code == SQLITE_DONE else { throw SQLiteError(code: code) }
  }

  private func opened() throws(SQLiteError) -> OpaquePointer {
    if let instance { return instance }
    var api: UnsafeMutablePointer<fts5_api>?
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard
      sqlite3_prepare_v2(database.raw, "SELECT fts5(?)", -1, &statement, nil) == SQLITE_OK,
      sqlite3_bind_pointer(statement, 1, &api, "fts5_api_ptr", nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW, let api
    else { throw SQLiteError(database.raw) }
    var context: UnsafeMutableRawPointer?
    var code = api.pointee.xFindTokenizer(api, "unicode61", &context, &functions)
    guard code == SQLITE_OK else { throw SQLiteError(code: code) }
    code = "remove_diacritics".withCString { name in
      "2".withCString { value in
        var options: [UnsafePointer<CChar>?] = [name, value]
        return functions.xCreate(context, &options, 2, &instance)
      }
    }
    guard code == SQLITE_OK, let instance else { throw SQLiteError(code: code) }
    return instance
  }
}

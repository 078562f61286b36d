internal import Files
internal import Glibc

/// A file in the data directory which says that the database is damaged.
///
/// The next opening recovers the database.
///
/// Any program may create the note, and it may be empty.
package enum DamageNote {
  /// Returns the text of the note; nil if there is no note.
  ///
  /// - Throws: `StoreError.unusable` if the note cannot be read.
  package static func read(in directory: String) throws(StoreError) -> String? {
    let bytes: [UInt8]?
    do throws(FileError) {
      bytes = try FileDescriptor(opening: directory + "/" + DataFiles.damageNote, O_RDONLY).read(
        1_000, at: 0)
    } catch {
      guard error.code == ENOENT else { throw .unusable(error) }
      return nil
    }
    let text = String(decoding: (bytes ?? []).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return text.isEmpty ? "there was a damage note without a reason" : text
  }

  /// Removes the note.
  package static func remove(in directory: String) {
    unlink(directory + "/" + DataFiles.damageNote)
  }

  /// Writes a note unless there is one.
  ///
  /// It ignores errors, because a later read of the database finds the damage again.
  package static func leave(_ damage: String, in directory: String) {
    guard
      let file = try? FileDescriptor(
        opening: directory + "/" + DataFiles.damageNote, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    else { return }
    let line = Array("\(damage)\n".utf8)
    try? line.span.bytes.withUnsafeBytes { bytes throws(FileError) in try file.write(bytes) }
    try? file.syncData()
  }
}

internal import Files
internal import Glibc

/// A note beside the database that it is damaged; the next opening recovers the database.
///
/// Any program may leave a note. It may be empty.
package enum DamageNote {
  /// Returns the note in the directory; nil if there is none.
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
    return text.isEmpty ? "a note said so" : text
  }

  /// Removes the note.
  package static func remove(in directory: String) {
    unlink(directory + "/" + DataFiles.damageNote)
  }

  /// Leaves a note unless there is one.
  ///
  /// If the disk refuses the note, a later reading finds the damage again.
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

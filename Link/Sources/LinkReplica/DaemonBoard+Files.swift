import DragboardClient
import LinkModel

extension DaemonBoard {
  /// Returns the list of the files to which a row refers; nil if it refers to no file.
  func reference(of row: Row) async throws -> [UInt8]? {
    guard row.types.contains(.uriList), row.byteCount <= FileSharing.maxBytes,
      let list = try await bytes(of: row, as: .uriList), list.count <= FileReference.maxBytes,
      FileReference(list) != nil
    else { return nil }
    return list
  }

  /// Reads a row that refers to files.
  ///
  /// The row has the bytes of its file, or the representations that do not repeat the addresses, or
  /// a text with the name of the machine; and the addresses under a type of their own.
  func row(
    _ row: Row, _ list: [UInt8], _ spool: any ContentSpool
  ) async throws -> SharedRow? {
    guard let reference = FileReference(list) else { return nil }
    var contents: [SharedRow.Representation] = []
    func add(_ type: String, _ content: SharedContent) {
      if !contents.contains(where: { $0.type == type }) {
        contents.append(.init(type: type, content: content))
      }
    }
    for type in row.types where type != .uriList {
      let isText = type.rawValue.hasPrefix("text/plain")
      guard let text = isText ? try await bytes(of: row, as: type) : [] else { return nil }
      if FileReference.isRepeated(by: type.rawValue, text) { continue }
      guard let content = try await content(of: row, as: type, spool) else { return nil }
      add(FileReference.sharedType(of: type.rawValue), content)
    }
    var name: String?
    if contents.isEmpty {
      if let bytes = files.bytes(of: reference, in: row) {
        add("application/octet-stream", try await content(bytes, spool))
        name = reference.name
      } else {
        let text = Array(reference.text(on: files.machine).utf8)
        add("text/plain;charset=utf-8", try await content(text, spool))
      }
    }
    add(FileReference.type, try await content(list, spool))
    var shared = SharedRow(row, contents)
    if shared.name.isEmpty, let name { shared.name = name }
    return shared
  }

  /// Reads a representation; nil if the row no longer exists.
  private func bytes(of row: Row, as type: ContentType) async throws -> [UInt8]? {
    do throws(DragboardError) {
      return try await board.file(of: row.id, as: type).bytes()
    } catch  where error.reason.isNotFound {
      return nil
    }
  }
}

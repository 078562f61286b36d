import DBus
import DragModel
import DragboardInterface
import DragboardStore
import Files

/// A new row in a call.
struct IncomingRow: Sendable {
  let origin: RowOrigin
  let attributes: ItemAttributes
  /// The representations, in order of fidelity; at least one.
  let contents: [IncomingContent]

  /// The number of bytes of all representations.
  var byteCount: Int { contents.reduce(0) { $0 + $1.byteCount } }

  /// The number of these bytes that are in memory.
  var byteCountInMemory: Int { contents.reduce(0) { $0 + $1.byteCountInMemory } }

  /// The resource for which ``prepared(max:noting:in:)`` may have to wait.
  var workKind: WorkKind {
    contents.lazy.map(\.workKind).first { $0 != .storage } ?? .storage
  }

  /// The content of the row if it can be stored without waiting.
  var ready: RowContent? {
    var representations: [RowContent.Representation] = []
    for content in contents {
      guard let ready = content.ready, representations.haveRoom(for: content.byteCount)
      else { return nil }
      representations.append(ready)
    }
    return content(of: representations)
  }

  /// Returns the content of the row, after writing large representations to files.
  ///
  /// Do not call it on the event loop.
  ///
  /// If `digesting` is true, it also computes the digest of the content.
  ///
  /// - Throws: the error for the client if the bytes are invalid, too many, or cannot be read or
  ///   written.
  func prepared(
    max: Int, noting reading: FileReading = FileReading(), in files: ContentDirectory,
    digesting: Bool
  ) throws(DBusError) -> RowContent {
    var representations: [RowContent.Representation] = []
    for content in contents {
      var ready = try content.prepared(max: max, noting: reading, in: files)
      if let bytes = ready.bytes.inlineBytes, !representations.haveRoom(for: bytes.count) {
        do throws(StoreError) { ready = try ready.inFile(of: files) } catch { throw error.answer }
      }
      representations.append(ready)
    }
    let content = content(of: representations)
    return digesting ? content.digested : content
  }

  private func content(of representations: [RowContent.Representation]) -> RowContent {
    RowContent(
      origin: origin, attributes: attributes, representations: representations)
  }
}

extension [IncomingRow] {
  /// Returns the contents of the rows, as `IncomingRow.prepared` does.
  func prepared(
    max: Int, noting reading: FileReading = FileReading(), in files: ContentDirectory,
    digesting: Bool
  ) throws(DBusError) -> [RowContent] {
    var contents: [RowContent] = []
    contents.reserveCapacity(count)
    for row in self {
      contents.append(
        try row.prepared(max: max, noting: reading, in: files, digesting: digesting))
    }
    return contents
  }
}

extension [IncomingContent] {
  /// Checks the representations of an item.
  ///
  /// - Throws: InvalidArgs if the list is empty or a representation is invalid;
  ///   DuplicateRepresentation if a type occurs twice.
  init(_ wire: [BoardInterface.Representation]) throws(DBusError) {
    self = []
    guard !wire.isEmpty else {
      throw DBusError(.invalidArgs, "representations: the list is empty (expected at least one)")
    }
    var repeated: MIMEType?
    for representation in wire {
      let (name, content) = representation.members
      let type = try MIMEType(argument: "representations", name)
      if contains(where: { $0.type == type }) { repeated = repeated ?? type }
      append(IncomingContent(type: type, source: try .init(content, as: type)))
    }
    if let repeated {
      throw DBusError(.duplicateRepresentation, "representations: \(repeated) occurs twice")
    }
  }
}

extension IncomingContent.Source {
  /// Checks and adopts a descriptor.
  ///
  /// - Throws: InvalidArgs if the file cannot be used.
  static func file(
    _ descriptor: FileDescriptor, argument: String
  ) throws(DBusError) -> IncomingContent.Source {
    .file(try ClientFile(argument: argument, descriptor), argument: argument)
  }

  fileprivate init(_ wire: WireContent, as type: MIMEType) throws(DBusError) {
    switch wire {
    case .text(let text):
      guard type.isPlainText else {
        throw DBusError(
          .invalidArgs, "representations: type \(type) has a D-Bus value s (expected ay or h)")
      }
      self = .data(Array(text.utf8))
    case .data(let data):
      try type.check(data, argument: "representations")
      self = .data(data)
    case .file(let file): self = try .file(file, argument: "representations")
    }
  }
}

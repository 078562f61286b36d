import CGtk4
import CShelf
import DragboardClient
import Glibc
import Logging
import ShelfModel

/// Rows, or the items of a drag, as content for other applications.
///
/// Their types are provided at once. Their bytes are read from the daemon when they are requested.
final class RowContentProvider {
  private let source: any ContentSource
  private let transfers: Transfers
  /// The export of the items, as long as it runs or the items cannot change.
  private var export: Task<Addresses, any Error>?

  /// The time between two comments in a list of addresses that is not ready.
  private static let commentInterval = Duration.seconds(5)

  /// Creates the content of a source.
  ///
  /// Its long transfers are shown by `transfers`.
  init(_ source: any ContentSource, _ transfers: Transfers) {
    self.source = source
    self.transfers = transfers
  }

  /// Returns a GdkContentProvider for types, with a reference for the caller; nil without types.
  ///
  /// If `areFiles`, sandboxed applications can get the files from the portal.
  static func provider(
    of types: [ContentType], areFiles: Bool = false, from source: any ContentSource,
    _ transfers: Transfers
  ) -> OpaquePointer? {
    guard !types.isEmpty else { return nil }
    let portal = areFiles && types.contains(.uriList) ? FilePortal.types : []
    let names = (types.map(\.rawValue) + portal).map { g_strdup($0) } + [nil]
    defer { for name in names { g_free(name) } }
    let pointers = names.map { $0.map { UnsafePointer($0) } }
    let provider = shelf_content_new(
      pointers,
      { type, stream, task, data in
        guard let type, let stream, let task, let content = held(data, as: RowContentProvider.self)
        else { return }
        content.write(ContentType(String(cString: type)), to: stream, task)
      }, hold(RowContentProvider(source, transfers)), { release($0) })
    return provider.map(\.opaque)
  }

  private func write(
    _ type: ContentType, to stream: UnsafeMutablePointer<GOutputStream>, _ task: OpaquePointer
  ) {
    Task {
      defer { g_object_unref(stream) }
      do {
        if FilePortal.types.contains(type.rawValue) {
          let addresses = try await addresses()
          source.hasDelivered = true
          return FilePortal.write(addresses, as: type.rawValue, to: stream, task)
        }
        try await write(type, to: stream)
        source.hasDelivered = true
        shelf_content_written(task, nil)
      } catch {
        source.hasFailed = true
        log.warning("\(error)")
        shelf_content_written(task, "\(error)")
      }
    }
  }

  /// Writes one item, or several joined items: texts as lines, addresses as one list.
  private func write(
    _ type: ContentType, to stream: UnsafeMutablePointer<GOutputStream>
  ) async throws {
    switch type {
    case .uriList:
      try await write(try await addresses(commentingOn: stream).text, to: stream)
    case .copiedFiles:
      let lines = ["copy"] + (try await addresses().all)
      try await write(lines.joined(separator: "\n"), to: stream)
    default:
      try await transfers.perform(source.title, didCancel: source.stop) {
        try await write(type, to: stream, for: $0)
      }
    }
  }

  private func write(
    _ type: ContentType, to stream: UnsafeMutablePointer<GOutputStream>, for transfer: Transfer
  ) async throws {
    let items = try await source.items()
    switch type {
    case .plainText, "text/plain":
      if items.allSatisfy({ $0.kind == .addresses && !$0.types.contains(.plainText) }) {
        let lines = try await addresses(for: transfer).all.map(Addresses.pathOrAddress)
        return try await write(lines.joined(separator: "\n"), to: stream)
      }
      guard items.count > 1 else { fallthrough }
      try await writeTexts(items, to: stream, for: transfer)
    default:
      try await transfers.copy(source.file(ofItem: 0, as: type), to: stream, for: transfer)
    }
  }

  private func write(
    _ text: String, to stream: UnsafeMutablePointer<GOutputStream>
  ) async throws {
    try await Writing.write(Array(text.utf8)[...], to: stream)
  }

  /// Writes the texts of items as lines, one text at a time.
  private func writeTexts(
    _ items: [any HeldOut], to stream: UnsafeMutablePointer<GOutputStream>, for transfer: Transfer
  ) async throws {
    var isFirst = true
    for (index, item) in items.enumerated() where [.text, .markup].contains(item.kind) {
      guard let type = item.saved()?.type else { continue }
      if !isFirst { try await write("\n", to: stream) }
      isFirst = false
      try await transfers.copy(source.file(ofItem: index, as: type), to: stream, for: transfer)
    }
  }

  // MARK: Files

  /// Returns the addresses of all items.
  ///
  /// An item without an address is exported as a file, because some programs accept only addresses.
  ///
  /// Requests share the files: Thunar requests them before the drop, and accepts the drop only when it has
  /// the addresses.
  func addresses() async throws -> Addresses {
    if let export { return try await export.value }
    let task = Task {
      try await transfers.perform(source.title, didCancel: source.stop) {
        try await addresses(for: $0)
      }
    }
    export = task
    do {
      let addresses = try await task.value
      if !source.isUnchanging { export = nil }
      return addresses
    } catch {
      export = nil
      throw error
    }
  }

  /// Returns the addresses of all items; writes comments to their list until they are ready.
  ///
  /// On X11, GTK 3 gives up a request after 30 seconds without data.
  private func addresses(
    commentingOn stream: UnsafeMutablePointer<GOutputStream>
  ) async throws -> Addresses {
    let comments = Task {
      while true {
        try await Task.sleep(for: Self.commentInterval)
        try await write("#\r\n", to: stream)
        try await Writing.flush(stream)
      }
    }
    let export = Task { try await addresses() }
    let result = await export.result
    comments.cancel()
    // A comment that is being written comes before the addresses.
    _ = await comments.result
    return try result.get()
  }

  private func addresses(for transfer: Transfer) async throws -> Addresses {
    var lists: [Addresses] = []
    for (index, item) in try await source.items().enumerated() {
      let links = try await links(of: item, at: index)
      if await isReference(item, to: links) {
        lists.append(Addresses(links.all))
      } else if let file = item.saved(from: links.all.first) {
        let list = try await transfers.export(
          item: index, of: source, as: file.type, named: file.name, for: transfer)
        lists.append(Addresses(list))
      }
    }
    return Addresses(joining: lists)
  }

  /// Returns the file that an item becomes; nil if the item is only a reference.
  func saved(_ item: any HeldOut, at index: Int) async throws -> SavedContent? {
    let links = try await links(of: item, at: index)
    return await isReference(item, to: links) ? nil : item.saved(from: links.all.first)
  }

  /// Returns whether an item comes out as its addresses.
  ///
  /// A picture of a web page has the address of the page or of the picture, but other applications
  /// get its bytes as a file.
  private func isReference(_ item: any HeldOut, to links: Addresses) async -> Bool {
    guard item.kind == .image else { return !links.all.isEmpty }
    guard links.areFiles else { return false }
    for path in links.all.compactMap({ Addresses.pathBytes(of: $0) }) {
      guard await FilePreviewReader.read(path)?.fileType != nil else { return false }
    }
    return true
  }

  private func links(of item: any HeldOut, at index: Int) async throws -> Addresses {
    if item.types.contains(.uriList) {
      let bytes = try await source.file(ofItem: index, as: .uriList).bytes()
      return Addresses(String(decoding: bytes, as: UTF8.self))
    }
    guard item.types.contains(.mozillaLink) else { return Addresses([]) }
    let bytes = try await source.file(ofItem: index, as: .mozillaLink).bytes()
    return Addresses(Addresses.link(inMozilla: bytes).map { [$0.address] } ?? [])
  }

  // MARK: Files that the other application asks for

  /// Returns the name of the file that another application can ask the shelf to write for texts; nil
  /// for other items.
  ///
  /// Only X11 has such requests. Other content is offered as the address of a file; editors would
  /// open this file instead of inserting a text.
  static func fileToSave(_ items: [any HeldOut]) -> FileName? {
    guard let display = gdk_display_get_default(), shelf_x11_is_display(display) != 0,
      items.allSatisfy({ [.text, .markup].contains($0.kind) })
    else { return nil }
    return items.first?.saved()?.name
  }

  /// Writes the file that the other application asks for.
  ///
  /// The other application chooses only the directory. An existing file is not replaced: then the
  /// new name has a number.
  ///
  /// - Parameters:
  ///   - address: the address of the file.
  ///   - file: the name that the shelf has offered.
  /// - Throws: the error of the daemon or of the system; then there is no new file.
  func save(to address: String, as file: FileName) async throws {
    do {
      try await transfers.perform(source.title, didCancel: source.stop) {
        try await save(to: address, as: file, for: $0)
      }
      source.hasDelivered = true
    } catch {
      source.hasFailed = true
      throw error
    }
  }

  private func save(to address: String, as file: FileName, for transfer: Transfer) async throws {
    guard let path = Addresses.path(of: address, onHost: Host.name),
      let slash = path.lastIndex(of: "/"), path[path.index(after: slash)...] == file.text
    else { throw ExportedFile.Failure(code: EINVAL) }
    let items = try await source.items()
    let new = try NewFile(file, in: String(path[...slash]))
    do {
      try await writeTexts(items, to: new.stream, for: transfer)
      try new.close()
    } catch {
      new.discard()
      throw error
    }
  }
}

/// A new file with a stream.
final class NewFile {
  /// The stream.
  var stream: UnsafeMutablePointer<GOutputStream> { output.pointer.of() }
  private let path: String
  private let output: Owned

  /// Creates a file; if the name exists, adds a number.
  ///
  /// - Throws: the error of the system.
  init(_ name: FileName, in directory: String) throws {
    for number in 1...99 {
      let path = directory + (number == 1 ? name : name.numbered(number)).text
      let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
      if file >= 0 {
        self.path = path
        output = Owned(adopting: made(shelf_output_stream(file)).opaque)
        return
      }
      guard errno == EEXIST else { break }
    }
    throw ExportedFile.Failure(code: errno)
  }

  /// Closes the complete file.
  func close() throws {
    guard g_output_stream_close(stream, nil, nil) != 0 else {
      throw ExportedFile.Failure(code: EIO)
    }
  }

  /// Deletes the incomplete file.
  func discard() {
    g_output_stream_close(stream, nil, nil)
    unlink(path)
  }
}

/// This machine.
private enum Host {
  /// Its name on the network.
  static let name = String(cString: g_get_host_name())
}

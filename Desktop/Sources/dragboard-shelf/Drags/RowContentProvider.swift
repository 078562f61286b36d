import CGtk4
import CShelf
import DragboardClient
import ShelfModel

/// Rows, or the items of a drag, as content for other applications.
///
/// Their types are provided at once. Their bytes are read from the daemon when they are requested.
final class RowContentProvider {
  private let source: any ContentSource
  private let transfers: Transfers

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
        let isForPortal = FilePortal.types.contains(type.rawValue)
        let addresses = try await transfers.perform(source.title, didCancel: source.stop) {
          transfer -> Addresses? in
          if isForPortal { return try await self.addresses(for: transfer) }
          try await write(type, to: stream, for: transfer)
          return nil
        }
        if let addresses {
          return FilePortal.write(addresses, as: type.rawValue, to: stream, task)
        }
        shelf_content_written(task, nil)
      } catch {
        source.hasFailed = true
        shelf_content_written(task, "\(error)")
      }
    }
  }

  /// Writes one item, or several joined items: texts as lines, addresses as one list.
  private func write(
    _ type: ContentType, to stream: UnsafeMutablePointer<GOutputStream>, for transfer: Transfer
  ) async throws {
    if let text = try await text(of: type, for: transfer) {
      return try await Writing.write(text[...], to: stream)
    }
    try await transfers.copy(source.file(ofItem: 0, as: type), to: stream, for: transfer)
  }

  /// Returns the joined content of all items; nil if `type` is a type of a single item.
  private func text(of type: ContentType, for transfer: Transfer) async throws -> [UInt8]? {
    let items = try await source.items()
    switch type {
    case .uriList: return Array(try await addresses(for: transfer).text.utf8)
    case .copiedFiles:
      let lines = ["copy"] + (try await addresses(for: transfer).all)
      return Array(lines.joined(separator: "\n").utf8)
    case .plainText, "text/plain":
      guard items.allSatisfy({ $0.kind == .addresses && !$0.types.contains(.plainText) }) else {
        break
      }
      let lines = try await addresses(for: transfer).all.map { Addresses.path(of: $0) ?? $0 }
      return Array(lines.joined(separator: "\n").utf8)
    default: break
    }
    guard items.count > 1 else { return nil }
    var texts: [[UInt8]] = []
    for (index, item) in items.enumerated() where item.kind == .text {
      texts.append(try await source.file(ofItem: index, as: .plainText).bytes())
    }
    return Array(texts.joined(separator: [UInt8(ascii: "\n")]))
  }

  /// Returns the addresses of all items.
  ///
  /// An item without an address is exported as a file, because some programs accept only addresses.
  func addresses() async throws -> Addresses {
    try await transfers.perform(source.title, didCancel: source.stop) {
      try await addresses(for: $0)
    }
  }

  private func addresses(for transfer: Transfer) async throws -> Addresses {
    var lists: [Addresses] = []
    for (index, item) in try await source.items().enumerated() {
      if item.types.contains(.uriList) {
        let bytes = try await source.file(ofItem: index, as: .uriList).bytes()
        lists.append(Addresses(String(decoding: bytes, as: UTF8.self)))
      } else if item.types.contains(.mozillaLink),
        let link = Addresses.link(
          inMozilla: try await source.file(ofItem: index, as: .mozillaLink).bytes())
      {
        lists.append(Addresses(link.address))
      } else if let type = item.types.first {
        let file = try await source.file(ofItem: index, as: type)
        let list = try await transfers.export(
          file, named: item.fileName, of: source.directory(ofItem: index), for: transfer)
        lists.append(Addresses(list))
      }
    }
    return Addresses(joining: lists)
  }
}

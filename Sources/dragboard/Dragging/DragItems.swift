import DragboardClient

/// The items of a command line.
///
/// A large file is read when it is loaded: the drag begins at once, and both sides see the
/// progress.
struct DragItems {
  private var items: [DragItem] = []
  private let commands: PromisedCommands
  private let limit: SizeLimit
  private let isPromising: Bool

  /// - Parameters:
  ///   - texts: an item each.
  ///   - files: an item each.
  ///   - areLinks: whether the items are references to the files.
  ///   - command: makes one more item.
  ///   - type: type of the files and of the command's output; nil is the type of the file's name,
  ///     and bytes.
  ///   - commands: runs the command.
  ///   - limit: the maximum size of a file.
  ///   - isPromising: whether somebody will be there to read large files when they are loaded.
  /// - Throws: `CommandError` or `Failure` if a file cannot be read; `DragboardError`.
  init(
    texts: [String], files: [String], areLinks: Bool, command: String?, type: String?,
    by commands: PromisedCommands, _ limit: SizeLimit, isPromising: Bool
  ) throws {
    self.commands = commands
    self.limit = limit
    self.isPromising = isPromising
    items = texts.map { .text($0) }
    let type = type.map { ContentType($0) }
    for path in files {
      if areLinks {
        items.append(try FileReference(path).item())
        continue
      }
      let content = try content(of: path)
      items.append(
        DragItem(
          attributes: ItemAttributes(ofFileAt: path),
          [.init(type ?? FileType.of(path), content)]))
    }
    if let command { items.append(DragItem([.init(type ?? .data, promise(of: command))])) }
  }

  /// The items, all for those eyes, the one of them with further types and a name.
  func items(
    also: [Alternative], name: String?, visibility: Visibility
  ) throws -> [DragItem] {
    var items = try items(also: also, name: name)
    for item in items.indices {
      for place in items[item].representations.indices {
        items[item].representations[place].visibility = visibility
      }
    }
    return items
  }

  private func items(also: [Alternative], name: String?) throws -> [DragItem] {
    guard !also.isEmpty || name != nil else { return items }
    var item = items.first ?? DragItem([])
    var more: [DragItem.Representation] = []
    for alternative in also { more.append(try representation(alternative)) }
    item.representations = more + item.representations
    if let name { item.attributes.name = name }
    return [item]
  }

  private func representation(
    _ alternative: Alternative
  ) throws -> DragItem.Representation {
    switch alternative.source {
    case .text(let text): .init(alternative.type, .data(Array(text.utf8)))
    case .file(let path): .init(alternative.type, try content(of: path))
    case .command(let command): .init(alternative.type, promise(of: command))
    }
  }

  private func content(of path: String) throws -> DragItem.Content {
    let input = try Input.file(path, limit)
    switch input {
    case .bytes(let bytes): return .data(bytes)
    case .file(let file):
      guard isPromising, input.isLarge else { return .file(file) }
      return .promise(try Promise(reading: file))
    }
  }

  /// A promise of the command's output, which fails if the command fails.
  private func promise(of command: String) -> DragItem.Content {
    .promise(
      Promise { [commands] writer in
        try writer.withDescriptor { try commands.run(command, output: $0) }
      })
  }
}

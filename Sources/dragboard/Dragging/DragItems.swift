import DragboardClient

/// The items that a command line describes.
///
/// A large file is a promise, which is read only when a destination loads it. So the drag begins at
/// once, and source and destination see the progress.
struct DragItems {
  private var items: [DragItem] = []
  private let commands: PromisedCommands
  private let limit: SizeLimit
  private let isPromising: Bool

  /// - Parameters:
  ///   - texts: the texts; each is an item.
  ///   - files: the paths of the files; each is an item.
  ///   - areLinks: whether the items are references to the files.
  ///   - command: the command whose output is another item; nil for none.
  ///   - type: the type of the files and of the command's output; nil to use the files' extensions
  ///     and, for the output, bytes.
  ///   - commands: the runner of the command.
  ///   - limit: the maximum size of a file.
  ///   - isPromising: whether this process runs until the drag ends, so that it can read a large
  ///     file when it is loaded.
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

  /// Returns the items with a visibility.
  ///
  /// If there is only one item, it can have additional types and a name.
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

  /// Returns a promise of the command's output.
  ///
  /// It fails if the command fails.
  private func promise(of command: String) -> DragItem.Content {
    .promise(
      Promise { [commands] writer in
        try writer.withDescriptor { try commands.run(command, output: $0) }
      })
  }
}

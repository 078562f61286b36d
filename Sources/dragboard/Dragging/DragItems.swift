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
  ///   - type: the type of the files and of the command's output; nil to find the types of the
  ///     files; the output is then bytes, unless the name has a known type.
  ///   - name: the name of the only item; nil for the name of the file.
  ///   - commands: the runner of the command.
  ///   - limit: the maximum size of a file.
  ///   - isPromising: whether this process runs until the drag ends, so that it can read a large
  ///     file when it is loaded.
  /// - Throws: `CommandError` or `Failure` if a file cannot be read; `DragboardError`.
  init(
    texts: [String], files: [String], areLinks: Bool, command: String?, type: String?,
    name: String?, by commands: PromisedCommands, _ limit: SizeLimit, isPromising: Bool
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
      let attributes = path == "-" ? ItemAttributes() : ItemAttributes(ofFileAt: path)
      let input = try input(path)
      let content = try InputContent(
        try content(of: input), of: input, name: name ?? attributes.name, as: type)
      items.append(DragItem(attributes: attributes, content.representations))
    }
    if let command {
      items.append(
        DragItem([.init(type ?? name.flatMap(FileType.ofName) ?? .data, promise(of: command))]))
    }
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
    case .file(let path): .init(alternative.type, try content(of: try input(path)))
    case .command(let command): .init(alternative.type, promise(of: command))
    }
  }

  private func input(_ path: String) throws -> Input {
    try Input.file(path, limit, isPromised: isPromising)
  }

  private func content(of input: Input) throws -> DragItem.Content {
    guard isPromising, input.isLarge, case .file(let file) = input else { return input.content }
    return .promise(try Promise(reading: file))
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

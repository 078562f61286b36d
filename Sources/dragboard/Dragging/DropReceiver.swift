import DragboardClient
import Files
import Glibc
import Synchronization

/// The receiver of a drop that this command has accepted.
///
/// It writes the items to files or to standard output.
struct DropReceiver {
  private let drop: AcceptedDrop
  private let type: ContentType
  /// The directory of the new files; nil for standard output.
  private let directory: OutputDirectory?
  private let reservation: DiskReservation?
  /// The numbers of bytes of the items; 0 if a number is unknown.
  private let sizes: [Int]
  private let isJSON: Bool
  /// Whether standard output is a terminal to which only text is written.
  private let isTerminal: Bool

  /// Creates a receiver.
  ///
  /// If `isForced` is true, it also writes bytes that are not text to a terminal.
  init(
    _ drop: AcceptedDrop, type: ContentType, directory: OutputDirectory?,
    reservation: DiskReservation?, sizes: [Int], isJSON: Bool, isForced: Bool
  ) {
    isTerminal = Console.isTerminal && !isForced
    self.drop = drop
    self.type = type
    self.directory = directory
    self.reservation = reservation
    self.sizes = sizes
    self.isJSON = isJSON
  }

  /// Loads and writes all items, in order.
  ///
  /// - Throws: `CommandError` if an item is not text and standard output is a terminal;
  ///   `DragboardError` if an item cannot be loaded; `Failure` if it cannot be written.
  func receiveAll() async throws {
    let count = try await drop.session.info().itemCount
    for item in 0..<count {
      if let directory {
        try report(item, try await write(item, to: directory))
      } else if isTerminal {
        let file = try await drop.file(ofItem: item, as: type)
        guard try TerminalWriter.write(file) else {
          throw CommandError(.refused, "item \(item): is not text, and the output is a terminal")
        }
      } else {
        ProgressBar.clear()
        try await copy(item, to: STDOUT_FILENO)
        if count > 1 { try Console.write("\n") }
      }
    }
  }

  private func write(_ item: Int, to directory: OutputDirectory) async throws -> String {
    let attributes = try await drop.session.attributes(ofItem: item)
    let name = try await name(of: item, attributes)
    reservation?.releaseNext()
    return try await directory.write(as: name, attributes) { try await copy(item, to: $0) }
  }

  /// Writes an item to a descriptor.
  ///
  /// A promise can have any number of bytes, so its bytes are written as they arrive. Other items,
  /// and items of few bytes, are received as a file.
  private func copy(_ item: Int, to descriptor: Int32) async throws {
    let size = sizes.indices.contains(item) ? sizes[item] : 0
    if size == 0 || size >= ProgressBar.minByteCount {
      let count = ReceivedCount(isShown: size == 0 && isatty(descriptor) == 0)
      do {
        return try await drop.receive(item: item, as: type) { piece in
          try Console.write(piece, to: descriptor)
          count.add(piece.count)
        }
      } catch let error as DragboardError
        where error.reason == .invalidArguments || error.reason == .unsupported
      {
        // The item is not a promise, or the daemon is older.
      }
    }
    let file = try await drop.file(ofItem: item, as: type)
    try await file.copy(to: descriptor, isShown: isatty(descriptor) == 0)
  }

  /// Returns a safe form of the name that the source suggests.
  ///
  /// If nothing of the name is left, returns `item-1` with the extension of the item's type.
  private func name(
    of item: Int, _ attributes: ItemAttributes
  ) async throws(DragboardError) -> FileName {
    if let name = FileName(suggested: attributes.name) { return name }
    let types = try await drop.session.types(ofItem: item)
    if types.first == .uriList, let name = try await nameOfLink(item) { return name }
    return FileName(numbered: item + 1, of: types.first ?? .data)
  }

  /// Returns the name for a reference to a file, such as `talk.webm.uri`; nil for other references.
  ///
  /// The file itself is not copied, because a source could name a file that it may not read.
  private func nameOfLink(_ item: Int) async throws(DragboardError) -> FileName? {
    let file = try await drop.file(ofItem: item, as: .uriList)
    guard try file.byteCount <= Self.maxLinkByteCount else { return nil }
    let text = String(decoding: try file.bytes(), as: UTF8.self)
    guard let uri = text.split(whereSeparator: \.isNewline).first, uri.hasPrefix("file://"),
      let last = uri.split(separator: "/").last
    else { return nil }
    return FileName(suggested: "\(Self.withoutEscapes(last)).uri")
  }

  /// The maximum number of bytes of a reference whose name is read.
  private static let maxLinkByteCount = 64 << 10

  /// Returns a part of a URI without percent encoding.
  private static func withoutEscapes(_ part: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(part.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let decoded = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(decoded)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func report(_ item: Int, _ path: String) throws(Failure) {
    if isJSON { return try Console.writeLine(["item": JSON(item), "path": .string(path)]) }
    try Console.writeLine(TerminalText(path).text)
  }
}

/// The number of bytes of an item of unknown size that have arrived, shown on a terminal.
private final class ReceivedCount: Sendable {
  private struct State {
    var byteCount = 0
    var lastShown: ContinuousClock.Instant?
  }

  private let bar: ProgressBar?
  private let state = Mutex(State())

  private static let interval = Duration.milliseconds(100)

  init(isShown: Bool) { bar = isShown ? ProgressBar("loading") : nil }

  func add(_ count: Int) {
    guard let bar else { return }
    let shown: Int? = state.withLock { state in
      state.byteCount += count
      let now = ContinuousClock.now
      if let last = state.lastShown, now - last < Self.interval { return nil }
      state.lastShown = now
      return state.byteCount
    }
    if let shown { bar.show(Amounts.bytes(shown)) }
  }
}

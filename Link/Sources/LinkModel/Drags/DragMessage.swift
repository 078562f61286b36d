/// A message between the links of two machines about drags.
public enum DragMessage: Hashable, Sendable {
  /// The list of drags of the sender has changed, or the sender has connected.
  case hint
  /// A request; the reply has the same number.
  case request(UInt64, DragRequest)
  /// The reply to a request.
  case reply(UInt64, DragReply)
}

/// A request of a machine to the machine on which a drag began.
public enum DragRequest: Hashable, Sendable {
  /// Asks for the list of drags. `held` are the drags whose drop the sender has taken.
  case list(held: [DragKey])
  /// Asks for the description of a drag.
  case describe(DragKey)
  /// Takes the drop.
  case accept(DragKey)
  /// Loads a representation.
  case load(DragKey, item: Int, type: String)
  /// Asks for the bytes of a loaded representation from an offset on, at most a chunk.
  case read(DragKey, load: UInt64, offset: UInt64)
  /// Releases a loaded representation. It has no reply.
  case release(DragKey, load: UInt64)
  /// Asks for the numbers of bytes of the files of a drag.
  ///
  /// Earlier versions have no such request.
  case sizes(DragKey)
  /// Ends the drop, and names the items that have arrived and that have failed. It has no reply.
  case finish(DragKey, loaded: [Int], failed: [Int])
}

/// A reply to a request.
public enum DragReply: Hashable, Sendable {
  /// The drags with the numbers of their descriptions, which change with the items.
  case list([DragKey: UInt64])
  /// The description of a drag, with its number.
  case description(SharedDrag, number: UInt64)
  /// The drop is granted.
  case accepted
  /// A representation is loaded: the number of the load, and the number of bytes.
  case loaded(UInt64, byteCount: UInt64)
  /// Bytes of a loaded representation.
  case bytes([UInt8])
  /// The number of bytes of the file of each item; 0 for an item that is no file.
  case sizes([UInt64])
  /// The request has failed, for this reason.
  case failed(String)
}

extension DragMessage {
  /// The maximum number of bytes in a reply with bytes.
  public static let chunkSize = 256 << 10
  private static let maxReasonBytes = 1_024

  fileprivate enum Code: UInt8 {
    case hint = 1
    case list, describe, accept, load, read, release, finish, sizes
    case listed = 33
    case description, accepted, loaded, bytes, failed, sized
  }

  func encode(to writer: inout ByteWriter) {
    switch self {
    case .hint: writer.write(byte: Code.hint.rawValue)
    case .request(let number, let request): Self.encode(request, number, to: &writer)
    case .reply(let number, let reply): Self.encode(reply, number, to: &writer)
    }
  }

  private static func encode(
    _ request: DragRequest, _ number: UInt64, to writer: inout ByteWriter
  ) {
    switch request {
    case .list(let held):
      writer.begin(.list, number)
      writer.write(held.count)
      for drag in held { writer.write(drag) }
    case .describe(let drag):
      writer.begin(.describe, number)
      writer.write(drag)
    case .accept(let drag):
      writer.begin(.accept, number)
      writer.write(drag)
    case .load(let drag, let item, let type):
      writer.begin(.load, number)
      writer.write(drag)
      writer.write(item)
      writer.write(type)
    case .read(let drag, let load, let offset):
      writer.begin(.read, number)
      writer.write(drag)
      writer.write(load)
      writer.write(offset)
    case .release(let drag, let load):
      writer.begin(.release, number)
      writer.write(drag)
      writer.write(load)
    case .sizes(let drag):
      writer.begin(.sizes, number)
      writer.write(drag)
    case .finish(let drag, let loaded, let failed):
      writer.begin(.finish, number)
      writer.write(drag)
      for list in [loaded, failed] {
        writer.write(list.count)
        for item in list { writer.write(item) }
      }
    }
  }

  private static func encode(_ reply: DragReply, _ number: UInt64, to writer: inout ByteWriter) {
    switch reply {
    case .list(let drags):
      writer.begin(.listed, number)
      writer.write(drags.count)
      for (drag, number) in drags.sorted(by: { $0.key < $1.key }) {
        writer.write(drag)
        writer.write(number)
      }
    case .description(let drag, let descriptionNumber):
      writer.begin(.description, number)
      writer.write(descriptionNumber)
      drag.encode(to: &writer)
    case .accepted: writer.begin(.accepted, number)
    case .loaded(let load, let byteCount):
      writer.begin(.loaded, number)
      writer.write(load)
      writer.write(byteCount)
    case .bytes(let bytes):
      writer.begin(.bytes, number)
      writer.write(bytes)
    case .sizes(let sizes):
      writer.begin(.sized, number)
      writer.write(sizes.count)
      for size in sizes { writer.write(size) }
    case .failed(let reason):
      writer.begin(.failed, number)
      var reason = reason
      while reason.utf8.count > maxReasonBytes { reason.removeLast() }
      writer.write(reason)
    }
  }

  init(from reader: inout ByteReader) throws(EncodingDamage) {
    guard let code = Code(rawValue: try reader.readByte()) else { throw .invalid }
    guard code != .hint else {
      self = .hint
      return
    }
    let number = try reader.readNumber()
    switch code {
    case .hint: throw .invalid
    case .list: self = .request(number, .list(held: try Self.drags(from: &reader)))
    case .describe: self = .request(number, .describe(try reader.readKey()))
    case .accept: self = .request(number, .accept(try reader.readKey()))
    case .load:
      self = .request(
        number,
        .load(
          try reader.readKey(), item: try Self.item(from: &reader),
          type: try reader.readText(max: SharedDrag.maxTextBytes)))
    case .read:
      self = .request(
        number,
        .read(
          try reader.readKey(), load: try reader.readNumber(), offset: try reader.readNumber()))
    case .release:
      self = .request(number, .release(try reader.readKey(), load: try reader.readNumber()))
    case .sizes: self = .request(number, .sizes(try reader.readKey()))
    case .finish:
      self = .request(
        number,
        .finish(
          try reader.readKey(), loaded: try Self.items(from: &reader),
          failed: try Self.items(from: &reader)))
    case .listed:
      var drags: [DragKey: UInt64] = [:]
      let count = try reader.readCount(ofSize: 17)
      guard count <= SharedDrag.maxDrags else { throw .invalid }
      var last: DragKey?
      for _ in 0..<count {
        let drag: DragKey = try reader.readKey()
        guard last.map({ $0 < drag }) ?? true else { throw .invalid }
        drags[drag] = try reader.readNumber()
        last = drag
      }
      self = .reply(number, .list(drags))
    case .description:
      let description = try reader.readNumber()
      self = .reply(number, .description(try SharedDrag(from: &reader), number: description))
    case .accepted: self = .reply(number, .accepted)
    case .loaded:
      self = .reply(
        number, .loaded(try reader.readNumber(), byteCount: try reader.readNumber()))
    case .bytes: self = .reply(number, .bytes(try reader.readData()))
    case .sized:
      var sizes: [UInt64] = []
      let count = try reader.readCount()
      guard count <= SharedDrag.maxItems else { throw .invalid }
      for _ in 0..<count { sizes.append(try reader.readNumber()) }
      self = .reply(number, .sizes(sizes))
    case .failed: self = .reply(number, .failed(try reader.readText(max: Self.maxReasonBytes)))
    }
  }

  private static func drags(from reader: inout ByteReader) throws(EncodingDamage) -> [DragKey] {
    var drags: [DragKey] = []
    let count = try reader.readCount(ofSize: 16)
    guard count <= SharedDrag.maxDrags else { throw .invalid }
    for _ in 0..<count { drags.append(try reader.readKey()) }
    return drags
  }

  private static func item(from reader: inout ByteReader) throws(EncodingDamage) -> Int {
    let number = try reader.readNumber()
    guard number < UInt64(SharedDrag.maxItems) else { throw .invalid }
    return Int(number)
  }

  private static func items(from reader: inout ByteReader) throws(EncodingDamage) -> [Int] {
    let count = try reader.readCount()
    guard count <= SharedDrag.maxItems else { throw .invalid }
    var items: [Int] = []
    for _ in 0..<count { items.append(try item(from: &reader)) }
    return items
  }
}

extension ByteWriter {
  /// Writes the beginning of a request or a reply.
  fileprivate mutating func begin(_ code: DragMessage.Code, _ number: UInt64) {
    write(byte: code.rawValue)
    write(number)
  }
}

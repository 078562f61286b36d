import DragboardClient
import Files
import LinkModel

/// A drag of this machine that other machines can drop.
struct OfferedDrag {
  let key: DragKey
  let session: DragSession
  var description = SharedDrag()
  /// The files of the items whose bytes cross.
  var files: [Int: DraggedFile] = [:]
  /// The number of the description.
  var number: UInt64 = 0
  /// Whether the description is small enough for other machines.
  var isShareable = false
  /// The machine that has taken the drop, or takes it now.
  var taker: MachineKey?
  /// The drop, after the daemon has granted it.
  var drop: AcceptedDrop?
  /// The items of which a representation was requested.
  var asked: Set<Int> = []
  /// The loaded representations; nil for a representation that is being loaded.
  var loads: [UInt64: ReceivedFile?] = [:]
  var lastLoad: UInt64 = 0
}

/// The drags of this machine by their sessions.
struct OfferedDrags {
  private(set) var bySession: [SessionID: OfferedDrag] = [:]

  /// The maximum number of representations that one drop loads at once.
  private static let maxLoads = 64

  /// The machines that have taken a drop.
  var takers: Set<MachineKey> { Set(bySession.values.compactMap(\.taker)) }

  subscript(session: SessionID) -> OfferedDrag? {
    get { bySession[session] }
    set { bySession[session] = newValue }
  }

  private func find(_ key: DragKey) -> OfferedDrag? {
    bySession.values.first { $0.key == key }
  }

  /// Returns the drag whose drop a machine has taken; nil if it has not.
  func taken(_ key: DragKey, by machine: MachineKey) -> OfferedDrag? {
    find(key).flatMap { $0.taker == machine ? $0 : nil }
  }

  /// Returns the drag if a machine may take its drop.
  func free(_ key: DragKey) -> OfferedDrag? {
    find(key).flatMap { $0.taker == nil && $0.isShareable ? $0 : nil }
  }

  /// Returns the drags that a machine shows, with the numbers of their descriptions; nil for any
  /// machine.
  func list(for machine: MachineKey?) -> [DragKey: UInt64] {
    let listed = bySession.sorted { $0.key < $1.key }.map(\.value)
      .filter { $0.isShareable && ($0.taker == nil || $0.taker == machine) }
    return Dictionary(
      listed.prefix(SharedDrag.maxDrags).map { ($0.key, $0.number) }
    ) { first, _ in first }
  }

  func describe(_ key: DragKey, to machine: MachineKey) -> DragReply {
    guard let drag = taken(key, by: machine) ?? free(key) else { return .ended }
    return .description(drag.description, number: drag.number)
  }

  func sizes(_ key: DragKey, to machine: MachineKey) -> DragReply {
    guard let drag = taken(key, by: machine) ?? free(key) else { return .ended }
    return .sizes(drag.description.items.indices.map { UInt64(drag.files[$0]?.byteCount ?? 0) })
  }

  /// Reserves a number for a load; nil if there are too many loads.
  mutating func beginLoad(of item: Int, _ session: SessionID) -> UInt64? {
    guard var drag = bySession[session], drag.loads.count < Self.maxLoads else { return nil }
    drag.lastLoad += 1
    drag.loads.updateValue(nil, forKey: drag.lastLoad)
    drag.asked.insert(item)
    bySession[session] = drag
    return drag.lastLoad
  }

  /// Reads a chunk of a loaded representation.
  func read(
    _ key: DragKey, _ load: UInt64, from offset: UInt64, by machine: MachineKey
  ) -> DragReply {
    guard let drag = taken(key, by: machine), let file = drag.loads[load] ?? nil,
      let offset = Int(exactly: offset)
    else { return .ended }
    do { return .bytes(try Self.chunk(of: file, from: offset)) } catch {
      return .failed("\(error)")
    }
  }

  /// Reads up to the size of a chunk; fewer bytes only at the end of the file.
  private static func chunk(of file: ReceivedFile, from offset: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: DragMessage.chunkSize)
    let count = try bytes.withUnsafeMutableBytes { try fill($0, from: file, at: offset) }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  private static func fill(
    _ buffer: UnsafeMutableRawBufferPointer, from file: ReceivedFile, at offset: Int
  ) throws -> Int {
    var count = 0
    while count < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      let read = try file.read(from: offset + count, into: rest)
      if read == 0 { break }
      count += read
    }
    return count
  }

  mutating func release(_ key: DragKey, _ load: UInt64, by machine: MachineKey) {
    guard let drag = taken(key, by: machine) else { return }
    bySession[drag.session.id]?.loads[load] = nil
  }
}

extension DragReply {
  static let ended = DragReply.failed("the drag was already dropped or has ended")
}

// MARK: Following the daemon

extension DragRelay {
  /// Follows the drags of this machine until the bus is lost.
  func followDaemon() async throws {
    let changes = await bus.sessionChanges()
    try? await readAll()
    for try await change in changes {
      switch change {
      case .session(let session): await read(DragSession(session, on: bus))
      case .item(let session, let item): await read(item, of: session)
      case .all: try? await readAll()
      case .daemonLeft: for session in offers.bySession.keys { withdraw(session) }
      }
    }
  }

  private func readAll() async throws {
    let sessions = try await bus.sessions().map(\.session)
    for session in offers.bySession.keys where !sessions.contains(where: { $0.id == session }) {
      withdraw(session)
    }
    for session in sessions { await read(session, again: true) }
  }

  /// Reads the state and the new items of a session; with `again`, all its items.
  private func read(_ session: DragSession, again: Bool = false) async {
    do {
      let info = try await session.info()
      let isTaken = info.state == .dropping && offers[session.id]?.taker != nil
      // A drag of another machine is not offered again.
      guard info.state == .active || isTaken, !info.isRestrictedToApplication,
        info.application != bus.uniqueName, info.machine.isEmpty
      else { return withdraw(session.id) }
      guard !isTaken else { return }
      if offers[session.id] == nil {
        var generator = SystemRandomNumberGenerator()
        offers[session.id] = OfferedDrag(key: .random(using: &generator), session: session)
      }
      // An item beyond the maximum shows that the drag has too many items.
      let known = again ? 0 : offers[session.id]?.description.items.count ?? 0
      for item in known..<max(known, min(info.itemCount, SharedDrag.maxItems + 1)) {
        await read(item, of: session.id)
      }
    } catch { withdraw(session.id) }
  }

  private func read(_ index: Int, of session: SessionID) async {
    guard let drag = offers[session], drag.taker == nil,
      index <= min(drag.description.items.count, SharedDrag.maxItems)
    else { return }
    do {
      let attributes = try await drag.session.attributes(ofItem: index)
      let types = try await drag.session.publicTypes(ofItem: index)
      var item = SharedDrag.Item(attributes, types)
      let isFile = sendsFiles() && types.contains(.uriList)
      let file = isFile ? try? await DraggedFile.find(index, of: drag.session) : nil
      if let file { (item.name, item.types) = (file.name, [DraggedFile.type]) }
      offers[session]?.files[index] = file
      set(item, at: index, of: session)
    } catch  where error.reason == .sessionEnded || error.reason == .noSuchSession {
      // The daemon also reports the end of the session, which withdraws the drag.
    } catch { withdraw(session) }
  }

  private func set(_ item: SharedDrag.Item, at index: Int, of session: SessionID) {
    guard var drag = offers[session] else { return }
    if index < drag.description.items.count {
      guard drag.description.items[index] != item else { return }
      drag.description.items[index] = item
    } else {
      drag.description.items.append(item)
    }
    drag.number += 1
    drag.isShareable = drag.description.isShareable
    offers[session] = drag
    hintSoon()
  }

  /// Ends the offer of a drag that has ended or cannot cross machines.
  private func withdraw(_ session: SessionID) {
    guard offers[session] != nil else { return }
    offers[session] = nil
    hintSoon()
  }
}

extension SharedDrag.Item {
  init(_ attributes: ItemAttributes, _ types: [ContentType]) {
    self.init(
      name: attributes.name, modified: attributes.modified?.wholeMicroseconds,
      application: attributes.application, stack: attributes.stack, types: types.map(\.rawValue))
  }

  var attributes: ItemAttributes {
    ItemAttributes(
      name: name, modified: modified.map { .microseconds(Int64(clamping: $0)) },
      application: application, stack: stack)
  }
}

extension Duration {
  fileprivate var wholeMicroseconds: UInt64? {
    UInt64(exactly: (self / .microseconds(1)).rounded(.down))
  }
}

// MARK: Drops on other machines

extension DragRelay {
  /// Takes the drop for another machine.
  func accept(_ key: DragKey, by machine: MachineKey) async -> DragReply {
    guard let drag = offers.free(key) else { return .ended }
    let session = drag.session
    offers[session.id]?.taker = machine
    do {
      let drop = try await session.accept(.copy)
      guard drop.granted.transfers else {
        withdraw(session.id)
        return .ended
      }
      guard offers[session.id]?.taker == machine else {
        // The machine was lost in the meantime.
        try? await drop.finish(loaded: [], failed: [])
        return .ended
      }
      offers[session.id]?.drop = drop
      watchMachines()
      // Other machines must not show the drag any longer.
      hintSoon()
      return .accepted
    } catch {
      withdraw(session.id)
      return .ended
    }
  }

  /// Loads a representation for the machine that has taken the drop.
  func load(
    _ key: DragKey, _ item: Int, _ type: String, by machine: MachineKey
  ) async -> DragReply {
    guard let drag = offers.taken(key, by: machine), let drop = drag.drop else { return .ended }
    let session = drag.session.id
    guard let load = offers.beginLoad(of: item, session) else {
      return .failed("too many loads of a drag at once")
    }
    do throws(DragboardError) {
      let file = try await file(ofItem: item, as: type, in: drag, drop)
      let count = UInt64(try file.byteCount)
      if type == FileReference.listType, count <= FileReference.maxBytes,
        FileReference(try file.bytes()) != nil
      {
        // Every path is a path of this machine. The other machine has no such file, or another one.
        throw DragboardError(
          .noSuchRepresentation,
          "the file is on the machine of the drag (to send its bytes: dragboard drag --file, or "
            + "dragboard link drags files)")
      }
      // The load may have been released in the meantime.
      guard offers[session]?.loads[load] != nil else { return .ended }
      offers[session]?.loads[load] = file
      return .loaded(load, byteCount: count)
    } catch {
      offers[session]?.loads[load] = nil
      return .failed("\(error.message)")
    }
  }

  private func file(
    ofItem item: Int, as type: String, in drag: OfferedDrag, _ drop: AcceptedDrop
  ) async throws(DragboardError) -> ReceivedFile {
    guard type == DraggedFile.type, let file = drag.files[item], sendsFiles() else {
      return try await drop.file(ofItem: item, as: ContentType(type))
    }
    do throws(FileError) { return try file.open() } catch {
      throw DragboardError(.inputOutput, "\(error)")
    }
  }

  /// Ends the drop of a machine, and reports to the source which items have arrived.
  func finish(_ key: DragKey, by machine: MachineKey, loaded: [Int], failed: [Int]) async {
    guard let drag = offers.taken(key, by: machine) else { return }
    await end(drag, loaded: loaded, failed: failed)
  }

  /// Cancels the drops of a machine, except those that it still performs.
  func cancelDrops(by machine: MachineKey, except held: [DragKey]) async {
    for drag in offers.bySession.values where drag.taker == machine && !held.contains(drag.key) {
      await end(drag, loaded: [], failed: [])
    }
  }

  private func end(_ drag: OfferedDrag, loaded: [Int], failed: [Int]) async {
    let session = drag.session.id
    withdraw(session)
    let missing = Set(failed).union(drag.asked).subtracting(loaded).sorted()
    let count = drag.description.items.count
    // If the source or the daemon has ended the session, nothing remains to be done.
    try? await drag.drop?.finish(
      loaded: loaded.filter { $0 < count }, failed: missing.filter { $0 < count })
  }
}

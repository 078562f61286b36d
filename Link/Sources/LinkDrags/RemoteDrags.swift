import DragboardClient
import LinkModel

/// The drags of another machine.
struct RemoteMachine {
  /// The drags that the machine lists, with the numbers of their descriptions.
  var listed: [DragKey: UInt64] = [:]
  /// The drags that this machine shows.
  var drags: [DragKey: RemoteDrag] = [:]
  /// The drags whose drop was attempted here, so that they are not shown again.
  var attempted: Set<DragKey> = []
  /// Whether a task shows and ends drags according to `listed`.
  var isUpdating = false
}

/// A drag of another machine that this machine shows.
final class RemoteDrag {
  let key: DragKey
  let machine: MachineKey
  let drag: ActiveDrag
  var description = SharedDrag()
  /// The number of the description.
  var number: UInt64 = 0
  /// The request for the drop; nil before a drop.
  var acceptance: Task<Void, any Error>?
  /// The items that arrived and that failed, after the transfers.
  var transfer: (loaded: [Int], failed: [Int]) = ([], [])

  init(_ key: DragKey, of machine: MachineKey, _ drag: ActiveDrag) {
    (self.key, self.machine, self.drag) = (key, machine, drag)
  }
}

extension DragRelay {
  /// The maximum number of drags of all other machines that this machine shows.
  private static let maxRemoteDrags = 128

  /// The drags whose drop this machine has taken from another machine.
  func held(from machine: MachineKey) -> [DragKey] {
    remotes[machine]?.drags.values.filter { $0.acceptance != nil }.map(\.key) ?? []
  }

  /// Shows the drags that a machine lists, and ends the others.
  func update(_ machine: MachineKey, _ listed: [DragKey: UInt64]) {
    guard remotes[machine] != nil || !listed.isEmpty else { return }
    remotes[machine, default: RemoteMachine()].listed = listed
    remotes[machine]?.attempted.formIntersection(listed.keys)
    guard remotes[machine]?.isUpdating == false else { return }
    remotes[machine]?.isUpdating = true
    watchMachines()
    Task {
      while let step = nextStep(machine) { await perform(step, machine) }
      remotes[machine]?.isUpdating = false
      if let remote = remotes[machine], remote.listed.isEmpty, remote.drags.isEmpty {
        remotes[machine] = nil
      }
      status.received = remotes.values.reduce(0) { $0 + $1.drags.count }
    }
  }

  /// The next difference between the list of a machine and its drags here.
  private enum UpdateStep {
    case end(RemoteDrag)
    case show(DragKey, number: UInt64)
  }

  private func nextStep(_ machine: MachineKey) -> UpdateStep? {
    guard let remote = remotes[machine] else { return nil }
    if let gone = remote.drags.values.first(where: { remote.listed[$0.key] == nil }) {
      return .end(gone)
    }
    let count = remotes.values.reduce(0) { $0 + $1.drags.count }
    for (key, number) in remote.listed.sorted(by: { $0.key < $1.key }) {
      if let shown = remote.drags[key] {
        if shown.number != number, shown.acceptance == nil { return .show(key, number: number) }
      } else if !remote.attempted.contains(key), count < Self.maxRemoteDrags {
        return .show(key, number: number)
      }
    }
    return nil
  }

  private func perform(_ step: UpdateStep, _ machine: MachineKey) async {
    switch step {
    case .end(let drag): await end(drag)
    case .show(let key, let number):
      do {
        let reply = try await request(.describe(key), to: machine)
        guard case .description(let description, let current) = reply, current >= number else {
          throw DragFailure(description: "no description")
        }
        try await show(key, description, current, of: machine)
      } catch {
        // The next list shows it again if it has not ended.
        remotes[machine]?.listed[key] = nil
      }
    }
  }

  /// Ends a drag whose machine has ended it or is absent, as if its source had left the bus.
  private func end(_ drag: RemoteDrag) async {
    forget(drag)
    drag.acceptance?.cancel()
    // After the beginning of a drop, only its loads fail.
    if let info = try? await drag.drag.session.info(), info.state == .active {
      try? await drag.drag.session.cancel()
    }
  }

  private func forget(_ drag: RemoteDrag) {
    guard remotes[drag.machine]?.drags[drag.key] === drag else { return }
    remotes[drag.machine]?.drags[drag.key] = nil
    status.received = remotes.values.reduce(0) { $0 + $1.drags.count }
  }

  // MARK: Showing

  private func show(
    _ key: DragKey, _ description: SharedDrag, _ number: UInt64, of machine: MachineKey
  ) async throws {
    if let shown = remotes[machine]?.drags[key] {
      try await add(description, to: shown)
      shown.number = number
      return
    }
    let new = RemoteDrag(key, of: machine, try await bus.beginDrag())
    do {
      try await new.drag.session.setMachine(name(of: machine))
      try await add(description, to: new)
    } catch {
      try? await new.drag.session.cancel()
      throw error
    }
    new.number = number
    // The machine may have ended the drag in the meantime.
    guard remotes[machine]?.listed[key] != nil else {
      try? await new.drag.session.cancel()
      return
    }
    remotes[machine]?.drags[key] = new
    status.received = remotes.values.reduce(0) { $0 + $1.drags.count }
    Task { await follow(new) }
  }

  /// Adds the items and the types that the drag does not have yet.
  private func add(_ description: SharedDrag, to remote: RemoteDrag) async throws {
    let sizes = await sizes(of: description, remote)
    for (index, item) in description.items.enumerated() {
      let size = sizes.indices.contains(index) ? sizes[index] : 0
      try await set(item, at: index, of: remote, fileSize: size > 0 ? Int(exactly: size) : nil)
    }
  }

  /// Asks for the numbers of bytes of the items if they may be files.
  ///
  /// A machine with an earlier version does not reply.
  private func sizes(of description: SharedDrag, _ remote: RemoteDrag) async -> [UInt64] {
    guard description.items.contains(where: { $0.types == [DraggedFile.type] }),
      case .sizes(let sizes)? = try? await request(.sizes(remote.key), to: remote.machine)
    else { return [] }
    return sizes
  }

  private func set(
    _ item: SharedDrag.Item, at index: Int, of remote: RemoteDrag, fileSize: Int?
  ) async throws {
    let session = remote.drag.session
    if index == remote.description.items.count {
      try await session.add([DragItem(attributes: item.attributes, [])])
      remote.description.items.append(SharedDrag.Item())
    } else if remote.description.items[index].attributes != item.attributes {
      try await session.setAttributes(item.attributes, ofItem: index)
    }
    let known = remote.description.items[index].types
    for type in item.types where !known.contains(type) {
      try await register(type, ofItem: index, in: remote, fileSize: fileSize)
    }
    remote.description.items[index] = item
  }

  // A function of its own: swiftc 6.3.1 does not end if `set` contains it.
  private func register(
    _ type: String, ofItem item: Int, in remote: RemoteDrag, fileSize: Int?
  ) async throws {
    var promise = promise(of: remote, item: item, type: type)
    promise.expectedByteCount = fileSize
    let representation = DragItem.Representation(ContentType(type), .promise(promise))
    do {
      try await remote.drag.session.register(representation, ofItem: item)
    } catch {
      // The daemon of the other machine may be later, and know more types.
      guard error.reason == .invalidArguments || error.reason == .duplicateRepresentation else {
        throw error
      }
    }
  }

  private func promise(of remote: RemoteDrag, item: Int, type: String) -> Promise {
    let (key, machine) = (remote.key, remote.machine)
    return Promise { [weak self] writer in
      guard let self else { throw DragFailure(description: "the link has ended") }
      try DragTransfer(key, item, type, from: machine, over: self, into: writer).run()
    }
  }

  // MARK: The drop

  private func follow(_ remote: RemoteDrag) async {
    var operation = DropOperation.cancel
    do {
      for try await event in remote.drag.events {
        switch event {
        case .willEnd(let operation) where operation.transfers: beginAcceptance(of: remote)
        case .transferred(let loaded, let failed): remote.transfer = (loaded, failed)
        case .ended(let result): operation = result
        default: break
        }
      }
    } catch {
      // The daemon or the bus has gone, so nothing has arrived.
    }
    forget(remote)
    guard remote.acceptance != nil else { return }
    remotes[remote.machine]?.attempted.insert(remote.key)
    let (loaded, failed) = remote.transfer
    let arrived = operation.transfers ? loaded : []
    let missing = operation.transfers ? failed : loaded + failed
    await notify(.finish(remote.key, loaded: arrived, failed: missing), to: remote.machine)
  }

  @discardableResult
  private func beginAcceptance(of remote: RemoteDrag) -> Task<Void, any Error> {
    if let acceptance = remote.acceptance { return acceptance }
    let (key, machine) = (remote.key, remote.machine)
    let acceptance = Task { _ = try await request(.accept(key), to: machine) }
    remote.acceptance = acceptance
    return acceptance
  }

  /// Waits until the other machine has granted the drop.
  func accept(_ key: DragKey, from machine: MachineKey) async throws {
    guard let remote = remotes[machine]?.drags[key] else {
      throw DragFailure(description: "the drag on \(name(of: machine)) has ended")
    }
    try await beginAcceptance(of: remote).value
  }
}

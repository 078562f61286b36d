public import DragboardClient
public import LinkModel

/// The relay of drags between the daemon and the other machines of a group.
///
/// A drag that begins on this machine is *offered*: other machines can list, describe and accept
/// it, and load its representations. For a drag of another machine, the relay begins a *remote* drag on
/// this machine, whose representations are promises. The first drop of the remote drag accepts the
/// offered drag, so only one drop on one machine succeeds.
public actor DragRelay {
  /// The state for the report.
  public struct Status: Hashable, Sendable {
    /// The number of drags of this machine that other machines show.
    public var offered = 0
    /// The number of drags of other machines that this machine shows.
    public var received = 0
    /// The number of messages that were altered, repeated, reordered or malformed.
    public var rejected: UInt64 = 0
  }

  /// The time between two requests to a machine whose drags this machine shows.
  static let interval = Duration.seconds(2)
  /// The time without a message after which a machine counts as absent.
  static let silence = Duration.seconds(8)

  /// The maximum number of requests for the list of a machine without a reply.
  private static let maxOpenPolls = 8

  let bus: DragboardConnection
  private let transport: any DragTransport
  private let own: MachineKey
  private let isOn: @Sendable () -> Bool
  let sendsFiles: @Sendable () -> Bool
  /// The states of the relay; only the latest one is stored.
  public nonisolated let statuses: AsyncStream<Status>
  private let statusOutput: AsyncStream<Status>.Continuation

  // The messages.
  private let run = UInt64.random(in: .min ... .max)
  private var lastNumbers: [MachineKey: UInt64] = [:]
  private var peers = DragPeers()
  private var awaited: [UInt64: AwaitedReply] = [:]
  private var polls: [MachineKey: Poll] = [:]
  private var lastHeard: [MachineKey: SuspendingClock.Instant] = [:]
  private var isHinting = false
  private var ticking: Task<Void, Never>?

  /// The names of the other machines.
  var names: [MachineKey: String] = [:]
  /// The drags of this machine.
  var offers = OfferedDrags()
  /// The drags of other machines.
  var remotes: [MachineKey: RemoteMachine] = [:]
  var status = Status() {
    didSet { if status != oldValue { statusOutput.yield(status) } }
  }

  /// Creates a relay.
  ///
  /// - Parameters:
  ///   - own: the key of this machine.
  ///   - bus: the connection to the daemon.
  ///   - transport: the way to the other machines.
  ///   - isOn: returns whether drags cross machines.
  ///   - sendsFiles: returns whether the bytes of files cross that the user drags from the shelf.
  public init(
    of own: MachineKey, on bus: DragboardConnection, over transport: any DragTransport,
    isOn: @escaping @Sendable () -> Bool, sendsFiles: @escaping @Sendable () -> Bool = { false }
  ) {
    (self.own, self.bus, self.transport) = (own, bus, transport)
    (self.isOn, self.sendsFiles) = (isOn, sendsFiles)
    (statuses, statusOutput) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Runs until the task is cancelled or the bus is lost.
  public func run() async throws {
    defer {
      ticking?.cancel()
      statusOutput.finish()
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await self.receive() }
      group.addTask { try await self.followDaemon() }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  /// Sets the names of the machines of the group, which may include this machine.
  public func setMachines(_ machines: [MachineKey: String]) async {
    let new = machines.filter { $0.key != own }
    let old = names
    names = new
    peers.keep { new[$0] != nil }
    for machine in old.keys where new[machine] == nil { await lose(machine) }
    for machine in new.keys where old[machine] == nil { await greet(machine) }
  }
}

// MARK: Sending

/// A request without a reply yet.
final class AwaitedReply {
  let machine: MachineKey
  let request: DragRequest
  let since = SuspendingClock.now
  var result: Result<DragReply, any Error>?
  var continuation: CheckedContinuation<DragReply, any Error>?

  init(to machine: MachineKey, _ request: DragRequest) {
    (self.machine, self.request) = (machine, request)
  }

  /// Whether the request asks for the list of drags, whose reply no task awaits.
  var isList: Bool {
    if case .list = request { true } else { false }
  }

  /// Whether the request or its reply was lost.
  ///
  /// A load has no limit here, because the source may need time.
  var isLost: Bool {
    if case .load = request { return false }
    return since.duration(to: .now) >= DragRelay.silence
  }
}

/// A request for the list of a machine's drags that has no reply yet.
private struct Poll {
  let number: UInt64
  let since: SuspendingClock.Instant
  /// Whether the list has changed since.
  var isOutdated = false
}

/// The reason why a request has no result.
struct DragFailure: Error, CustomStringConvertible {
  let description: String
}

extension DragRelay {
  private func send(_ message: DragMessage, to machine: MachineKey) async throws {
    let number = lastNumbers[machine, default: 0] + 1
    lastNumbers[machine] = number
    let envelope = DragEnvelope(sender: own, run: run, number: number, message: message)
    try await transport.send(envelope.bytes, to: machine)
  }

  /// Sends a request that has no reply.
  func notify(_ request: DragRequest, to machine: MachineKey) async {
    // If the message is lost, the machine notices it by the next list of held drags.
    try? await send(.request(.random(in: .min ... .max), request), to: machine)
  }

  /// Sends a request and waits for its reply.
  ///
  /// - Throws: `DragFailure` if the machine refuses the request or is absent.
  func request(_ request: DragRequest, to machine: MachineKey) async throws -> DragReply {
    let number = UInt64.random(in: .min ... .max)
    let reply = AwaitedReply(to: machine, request)
    awaited[number] = reply
    defer { awaited[number] = nil }
    do { try await send(.request(number, request), to: machine) } catch {
      throw DragFailure(description: "\(name(of: machine)) cannot be reached")
    }
    let result = try await withTaskCancellationHandler {
      if let result = reply.result { return try result.get() }
      return try await withCheckedThrowingContinuation { reply.continuation = $0 }
    } onCancel: {
      Task { await self.resolve(number, with: .failure(CancellationError())) }
    }
    if case .failed(let reason) = result { throw DragFailure(description: reason) }
    return result
  }

  private func resolve(_ number: UInt64, with result: Result<DragReply, any Error>) {
    guard let reply = awaited.removeValue(forKey: number) else { return }
    reply.result = result
    reply.continuation?.resume(with: result)
  }

  func name(of machine: MachineKey) -> String { names[machine] ?? "a removed machine" }

  /// Asks a machine for the list of its drags, unless a request is on its way.
  ///
  /// If the run of the machine is new, the request on its way may be lost.
  func poll(_ machine: MachineKey, ofNewRun isNewRun: Bool = false) async {
    let open = awaited.filter { $0.value.machine == machine && $0.value.isList }
    for (number, reply) in open where reply.isLost { awaited[number] = nil }
    if let poll = polls[machine], poll.since.duration(to: .now) < Self.interval {
      guard isNewRun, open.count < Self.maxOpenPolls else {
        polls[machine]?.isOutdated = true
        // If the request on its way is lost, it is repeated.
        watchMachines()
        return
      }
    }
    let number = UInt64.random(in: .min ... .max)
    let request = DragRequest.list(held: held(from: machine))
    polls[machine] = Poll(number: number, since: .now)
    awaited[number] = AwaitedReply(to: machine, request)
    try? await send(.request(number, request), to: machine)
  }

  /// Exchanges the lists with a machine.
  private func greet(_ machine: MachineKey) async {
    try? await send(.hint, to: machine)
    await poll(machine)
  }

  /// Reports to all machines that the list of this machine has changed.
  ///
  /// Changes within a short time make one report.
  func hintSoon() {
    status.offered = offers.list(for: nil).count
    guard !isHinting else { return }
    isHinting = true
    Task {
      try? await Task.sleep(for: .milliseconds(20))
      isHinting = false
      for machine in names.keys { try? await send(.hint, to: machine) }
    }
  }
}

// MARK: Receiving

extension DragRelay {
  private func receive() async throws {
    while !Task.isCancelled {
      switch try await transport.next() {
      case .connected: for machine in names.keys { await greet(machine) }
      case .lost: for machine in names.keys { await lose(machine) }
      case .altered: status.rejected += 1
      case .message(let bytes):
        guard let envelope = try? DragEnvelope(bytes: bytes) else {
          status.rejected += 1
          continue
        }
        if names[envelope.sender] != nil { await take(envelope) }
      }
    }
  }

  private func take(_ envelope: DragEnvelope) async {
    let (machine, message) = (envelope.sender, envelope.message)
    var reply: AwaitedReply?
    if case .reply(let number, _) = message { reply = awaited[number] }
    switch peers.judge(envelope, isAwaited: reply?.machine == machine) {
    case .repeated:
      status.rejected += 1
      return
    case .unknownRun:
      // The message may be old, so it has no effect. The reply to the poll makes the run known.
      await poll(machine, ofNewRun: true)
      if case .request(let number, .list) = message { await sendList(number, to: machine) }
      return
    case .newRun:
      for (number, other) in awaited where other.machine == machine && !other.isList {
        resolve(number, with: .failure(absence(of: machine)))
      }
      await cancelDrops(by: machine, except: [])
    case .new: break
    }
    lastHeard[machine] = .now
    await turnOffIfNeeded()
    switch message {
    case .hint: await poll(machine)
    case .request(let number, let request): await answer(request, number, from: machine)
    case .reply(let number, let result):
      guard let reply, reply.machine == machine else { return }
      guard reply.isList else { return resolve(number, with: .success(result)) }
      awaited[number] = nil
      var isOutdated = false
      if let poll = polls[machine], poll.number == number {
        isOutdated = poll.isOutdated
        polls[machine] = nil
      }
      if case .list(let drags) = result { update(machine, isOn() ? drags : [:]) }
      if isOutdated { await poll(machine) }
    }
  }

  private func answer(
    _ request: DragRequest, _ number: UInt64, from machine: MachineKey
  ) async {
    switch request {
    case .list(let held):
      await cancelDrops(by: machine, except: held)
      await sendList(number, to: machine)
    case .describe(let drag): await reply(offers.describe(drag, to: machine), number, to: machine)
    case .accept(let drag): await reply(accept(drag, by: machine), number, to: machine)
    case .load(let drag, let item, let type):
      // The source may need time, and other requests must not wait for it.
      Task { await reply(load(drag, item, type, by: machine), number, to: machine) }
    case .read(let drag, let load, let offset):
      await reply(offers.read(drag, load, from: offset, by: machine), number, to: machine)
    case .release(let drag, let load): offers.release(drag, load, by: machine)
    case .sizes(let drag): await reply(offers.sizes(drag, to: machine), number, to: machine)
    case .finish(let drag, let loaded, let failed):
      await finish(drag, by: machine, loaded: loaded, failed: failed)
    }
  }

  private func sendList(_ number: UInt64, to machine: MachineKey) async {
    await reply(.list(isOn() ? offers.list(for: machine) : [:]), number, to: machine)
  }

  private func reply(_ reply: DragReply, _ number: UInt64, to machine: MachineKey) async {
    try? await send(.reply(number, reply), to: machine)
  }
}

// MARK: Absent machines

extension DragRelay {
  private func absence(of machine: MachineKey) -> DragFailure {
    DragFailure(description: "the connection to \(name(of: machine)) is lost")
  }

  /// Ends all drags and drops with a machine that cannot be reached.
  private func lose(_ machine: MachineKey) async {
    polls[machine] = nil
    for (number, reply) in awaited where reply.machine == machine {
      resolve(number, with: .failure(absence(of: machine)))
    }
    await cancelDrops(by: machine, except: [])
    update(machine, [:])
  }

  private func turnOffIfNeeded() async {
    guard !isOn(), !(remotes.isEmpty && offers.takers.isEmpty) else { return }
    for machine in names.keys { await lose(machine) }
  }

  /// Starts to look for absent machines and lost requests, as long as there are drags, drops or
  /// changes of other machines.
  func watchMachines() {
    guard ticking == nil else { return }
    ticking = Task {
      while !Task.isCancelled, await tick() { try? await Task.sleep(for: Self.interval) }
      ticking = nil
    }
  }

  /// Returns whether there are drags, drops or changes of other machines.
  private func tick() async -> Bool {
    await turnOffIfNeeded()
    for machine in Set(remotes.keys).union(offers.takers) {
      let last = lastHeard[machine]
      if last.map({ $0.duration(to: .now) >= Self.silence }) ?? true { await lose(machine) }
    }
    for (number, reply) in awaited where reply.isLost && !reply.isList {
      resolve(number, with: .failure(absence(of: reply.machine)))
    }
    let outdated = polls.filter { $0.value.isOutdated }.keys
    for machine in Set(remotes.keys).union(outdated) { await poll(machine) }
    return !remotes.isEmpty || !offers.takers.isEmpty || polls.values.contains { $0.isOutdated }
  }
}

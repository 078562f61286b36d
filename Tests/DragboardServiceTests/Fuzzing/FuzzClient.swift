@testable import DBus
import DragboardInterface
import Files
import Foundation
import TestSupport

/// A connection that makes several random calls at a time, breaks promises, and sometimes
/// disconnects.
///
/// `@unchecked` is safe, because only the loop's thread uses it.
final class FuzzClient: @unchecked Sendable {
  private let address: String
  private let loop: EventLoop
  private let members: [FuzzMember]
  private var values: FuzzValues
  private var connection: Connection
  private var objects: ObjectServer
  /// The number of answers, including errors.
  private(set) var answers = 0
  /// The number of successful calls.
  private(set) var successes = 0
  private var lives = 0
  private var keepsGoing = true

  private static let outstanding = 16
  /// The average number of calls of a connection.
  private static let lifetime = 3_000

  init(to address: String, on loop: EventLoop, _ members: [FuzzMember], seed: UInt64) throws {
    (self.address, self.loop, self.members) = (address, loop, members)
    values = FuzzValues(seed: seed)
    connection = try Connection(to: address, on: loop)
    objects = ObjectServer(connection)
  }

  /// Begins to call.
  func start() {
    exportLoader()
    for _ in 0..<Self.outstanding { callOnce() }
  }

  /// Stops calling, and leaves the bus.
  func stop() {
    keepsGoing = false
    connection.close()
  }

  private func callOnce() {
    guard keepsGoing else { return }
    if values.once(in: Self.lifetime) { return dieAndReturn() }
    let life = lives
    connection.send(next(), timeout: nil) { [weak self] result in
      guard let self, life == lives else { return }
      answers += 1
      if case .success(let answer) = result {
        successes += 1
        values.learn(answer)
      }
      // A call that libdbus cannot send fails at once, so the next call starts in a later
      // iteration.
      loop.perform { [weak self] in self?.callOnce() }
    }
  }

  /// Disconnects with outstanding calls, drags, views and promises, and connects again.
  private func dieAndReturn() {
    lives += 1
    connection.close()
    guard let new = try? Connection(to: address, on: loop) else { return keepsGoing = false }
    connection = new
    objects = ObjectServer(new)
    start()
  }

  private func next() -> OutgoingMessage {
    let member = members[values.number(below: members.count)]
    let path =
      values.once(in: 30) ? values.anyPath() : values.path(serving: member.interface)
    let call = OutgoingMessage.call(
      MemberName(unchecked: member.name),
      of: values.once(in: 30) ? nil : InterfaceName(unchecked: member.interface), at: path,
      to: Dragboard.busName)
    var arguments = member.arguments.filter { _ in !values.once(in: 60) }
      .map { values.value(of: $0) }
    if values.once(in: 60) { arguments.append(values.anything(depth: 0)) }
    for argument in arguments { call.write(argument.signature) { argument.write(to: &$0) } }
    return call
  }

  private func exportLoader() {
    objects.export("/loader/1", [ObjectInterface(Self.loader, of: self)])
  }

  private static var loader: InterfaceTable<FuzzClient, Call> {
    var table = InterfaceTable<FuzzClient, Call>(RepresentationLoaderInterface.name)
    table.deferredMethod(RepresentationLoaderInterface.load) {
      (client, call, reply, _, _, _, file) throws(DBusError) in
      client.keep(reply, file)
    }
    return table
  }

  /// Writes some bytes or none, and replies or does not.
  private func keep(_ reply: Reply<>, _ file: FileDescriptor) {
    let bytes = [UInt8](
      repeating: values.once(in: 4) ? 0xFF : 0x61, count: values.number(below: 4_000))
    if !values.once(in: 4) { _ = write(file.number, bytes, bytes.count) }
    switch values.number(below: 4) {
    case 0: reply.refuse(DBusError(.failed, "not today"))
    case 1: break
    default: reply.send()
    }
  }
}

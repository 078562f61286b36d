import DBus
import DragboardInterface
import Files
import Foundation
import TestSupport

/// A connection that uses boards as people do: edits, drags, drops, promises and views, one call
/// after the other.
///
/// It sometimes disconnects.
///
/// `@unchecked` is safe, because only the loop's thread uses it.
final class SoakClient: @unchecked Sendable {
  private let loop: EventLoop
  private let number: Int
  private var connection: Connection
  private var objects: ObjectServer
  private var numbers: SplitMix64
  private var address: String
  private var items: [String] = []
  private var left = 0
  private var lives = 0
  private(set) var isIdle = true
  /// The number of successful calls, by kind.
  private(set) var done: [String: Int] = [:]

  init(to address: String, on loop: EventLoop, number: Int) throws {
    (self.address, self.loop, self.number) = (address, loop, number)
    numbers = SplitMix64(seed: UInt64(number))
    connection = try Connection(to: address, on: loop)
    objects = ObjectServer(connection)
    exportLoader()
  }

  /// The name of the application, which other clients share.
  private var application: String { "org.example.App\(number % 4)" }

  /// Performs `count` actions, then is idle.
  func start(_ count: Int) {
    (left, isIdle) = (count, false)
    next()
  }

  /// Connects to a bus as another connection.
  func move(to address: String) throws {
    self.address = address
    try reconnect()
  }

  /// Leaves the bus.
  func leave() { connection.close() }

  private func reconnect() throws {
    lives += 1
    connection.close()
    connection = try Connection(to: address, on: loop)
    objects = ObjectServer(connection)
    exportLoader()
  }

  private func chance(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &numbers) }

  private func next() {
    guard left > 0 else { return isIdle = true }
    left -= 1
    switch chance(40) {
    case 0..<12: edit()
    case 12: addLarge()
    case 13..<22: dragTexts()
    case 22..<28: dragRow()
    case 28..<35: promise()
    case 35..<38: view()
    case 38: read()
    default: die()
    }
  }

  /// Sends a call, and runs `then` with its reply, unless the call is refused or this connection
  /// has closed.
  private func send(
    _ call: OutgoingMessage, _ kind: String, _ then: @escaping @Sendable (Message) -> Void
  ) {
    let life = lives
    connection.send(call, timeout: nil) { [weak self] result in
      // A call without a bus fails at once, so the next call starts in a later iteration.
      self?.loop.perform { [weak self] in
        guard let self, life == lives else { return }
        switch result {
        case .success(let reply):
          done[kind, default: 0] += 1
          then(reply)
        case .failure(let error):
          if error.name == .disconnected { left = 0 }
          next()
        }
      }
    }
  }

  /// Closes the connection with everything that it owns; another connection replaces it.
  private func die() {
    guard (try? reconnect()) != nil else {
      left = 0
      return isIdle = true
    }
    done["deaths", default: 0] += 1
    next()
  }
}

// MARK: - Boards

extension SoakClient {
  private func edit() {
    var edits = RandomEdits(seed: numbers.next(), prefix: "\(number)-\(numbers.next())")
    let edit = edits.next(items: items)
    if edit.isDrop { return next() }
    send(edit.message(), "edits") { [self] reply in
      note(reply)
      next()
    }
  }

  private func note(_ reply: Message) {
    let one = (try? reply.arguments(as: String.self)).map { [$0] }
    items = (items + ((try? reply.arguments(as: [String].self)) ?? one ?? [])).suffix(20)
  }

  /// Adds a text that the daemon stores in a file.
  private func addLarge() {
    let text = String(repeating: "large \(chance(4)) ", count: 10_000)
    send(call(BoardInterface.insertText, 0, 0, text), "large texts") { [self] reply in
      note(reply)
      next()
    }
  }

  private func read() {
    send(call(BoardInterface.getRows, 0, 0, 50), "reads") { [self] _ in next() }
  }

  private func view() {
    send(call(ViewsInterface.openView, at: BusClient.board, ""), "views") { [self] reply in
      guard let view = try? reply.arguments(as: ObjectPath.self) else { return next() }
      send(call(ViewInterface.setEditing, at: view, true), "views edited") { [self] _ in
        send(call(ViewInterface.close, at: view), "views closed") { [self] _ in next() }
      }
    }
  }
}

// MARK: - Drags

extension SoakClient {
  private func dragTexts() {
    let begin = call(
      ManagerInterface.beginTextDrag, at: Dragboard.root, chance(3) == 0 ? "" : application,
      (0...chance(3)).map { "\(number) \($0)" })
    send(begin, "drags") { [self] in end(try? $0.arguments(as: ObjectPath.self)) }
  }

  private func dragRow() {
    guard let item = items.last else { return edit() }
    let begin = call(DragSourceInterface.beginDrag, at: BusClient.board, application, [item])
    send(begin, "drags of rows") { [self] in end(try? $0.arguments(as: ObjectPath.self)) }
  }

  /// Ends a drag by a drop, by an accepting client, by Cancel, by the timeout, or by the end of the
  /// connection.
  private func end(_ session: ObjectPath?) {
    guard let session else { return next() }
    switch chance(20) {
    case 0..<9: drop(session)
    case 9..<14: accept(session)
    case 14..<18: cancel(session)
    case 18: next()
    default: die()
    }
  }

  private func drop(_ session: ObjectPath) {
    let propose = call(
      DropTargetInterface.proposeDrop, at: BusClient.board, session, application, 0, -1)
    send(propose, "proposals") { [self] _ in
      let drop = call(
        DropTargetInterface.performDrop, at: BusClient.board, session, application, 0, -1)
      send(drop, "drops") { [self] _ in next() }
    }
  }

  private func accept(_ session: ObjectPath) {
    let destination = chance(3) == 0 ? "" : application
    send(call(DragSessionInterface.accept, at: session, destination, "copy"), "accepted") {
      [self] _ in
      if chance(10) == 0 { return die() }
      send(call(DragSessionInterface.loadText, at: session, 0), "loads") { [self] _ in
        send(call(DragSessionInterface.finish, at: session), "finished") { [self] _ in next() }
      }
    }
  }

  private func cancel(_ session: ObjectPath) {
    send(call(DragSessionInterface.cancel, at: session), "cancelled") { [self] _ in next() }
  }
}

// MARK: - Promises

extension SoakClient {
  private func promise() {
    let begin = call(ManagerInterface.beginDrag, at: Dragboard.root, application)
    send(begin, "drags of promises") { [self] reply in
      guard let session = try? reply.arguments(as: ObjectPath.self) else { return next() }
      send(call(DragSessionInterface.addItem, at: session, ""), "items") { [self] _ in
        let register = call(
          DragSessionInterface.registerPromise, at: session, 0, "text/plain;charset=utf-8", "all",
          "/loader")
        send(register, "promises") { [self] _ in end(session) }
      }
    }
  }

  private func exportLoader() {
    var table = InterfaceTable<SoakClient, Call>(RepresentationLoaderInterface.name)
    table.deferredMethod(RepresentationLoaderInterface.load) {
      (client, _, reply, _, _, _, file) throws(DBusError) in
      client.keep(reply, file)
    }
    objects.export("/loader", [ObjectInterface(table, of: self)])
  }

  /// Keeps a promise or breaks it; a promise without an answer ends with the load timeout.
  private func keep(_ reply: Reply<>, _ file: FileDescriptor) {
    let bytes = [UInt8](repeating: 0x61, count: chance(50) == 0 ? 100_000 : chance(2_000))
    switch chance(20) {
    case 0: reply.refuse(DBusError(.failed, "not today"))
    case 1:
      // The daemon gets neither an answer nor an error.
      loop.perform { [weak self] in self?.vanish() }
    default:
      // A pipe accepts 64 KiB at once. The rest is never written, so the text is shorter.
      _ = fcntl(file.number, F_SETFL, O_NONBLOCK)
      _ = write(file.number, bytes, bytes.count)
      reply.send()
      done["loads served", default: 0] += 1
    }
  }

  /// Closes the connection while a call is outstanding.
  private func vanish() { if !isIdle { die() } }
}

import CLinux
import DBus
import DragModel
import DragboardInterface
import DragboardStore
import Files

/// The methods of `org.dragboard.Dragboard1.DragSession` for a client that accepts the drop.
struct SessionLoading {
  let drags: Drags
  let reader: ContentReader

  func accept(
    _ session: SessionEntity, _ command: Command, _ application: String, _ operation: String
  ) throws(DBusError) -> String {
    guard let wanted = DropOperation(rawValue: operation), wanted == .copy || wanted == .move else {
      throw DBusError(
        .invalidArgs, "operation: \(operation.quoted) is not an operation (expected copy or move)")
    }
    let client = try command.application(application)
    return try drags.accept(wanted, of: session, by: client, in: command.step).rawValue
  }

  func finish(_ session: SessionEntity, _ command: Command) throws(DBusError) {
    do throws(DragError) {
      try drags.end(session, in: command.step) { session throws(DragError) in
        try session.finish(by: command.caller)
      }
    } catch { throw error.answer(argument: "") }
  }

  func finishItems(
    _ session: SessionEntity, _ command: Command, _ loaded: [UInt32], _ failed: [UInt32]
  ) throws(DBusError) {
    do throws(DragError) {
      try drags.end(session, in: command.step) { session throws(DragError) in
        try session.finish(
          by: command.caller, loaded: loaded.map(Int.init), failed: failed.map(Int.init))
      }
    } catch { throw error.answer(argument: "item") }
  }

  /// Refuses lists with more elements than a session may have items.
  func checkFinishedItems(_ session: SessionEntity, _ call: Call) throws(DBusError) {
    for (index, list) in ["loaded", "failed"].enumerated() {
      let check: ListCheck.Check<SessionEntity> = ListCheck.atMost(
        session.session.limits.maxItems, ofArgument: index, "\(list): max-items")
      try check(session, call)
    }
  }

  // MARK: Loading

  func loadText(
    _ session: SessionEntity, _ command: Command, _ reply: Reply<String>, _ item: UInt32
  ) throws(DBusError) {
    let load = Load(
      session: session, item: item, query: .plainText, name: MIMEType.plainText.mime)
    try run(load, command, answering: reply) { command, bytes in
      reader.readText(bytes, for: command, answering: reply, insteadUse: "LoadFile") {
        finish(load, command, $0, $1, reply.send, orRefuse: reply.refuse)
      }
    }
  }

  func loadData(
    _ session: SessionEntity, _ command: Command, _ reply: Reply<[UInt8]>, _ item: UInt32,
    _ type: String
  ) throws(DBusError) {
    let load = Load(session: session, item: item, try TypeQuery(asking: "type", type))
    try run(load, command, answering: reply) { command, bytes in
      reader.read(bytes, for: command, answering: reply, insteadUse: "LoadFile") {
        finish(load, command, $0, $1, reply.send, orRefuse: reply.refuse)
      }
    }
  }

  func loadFile(
    _ session: SessionEntity, _ command: Command, _ reply: Reply<FileDescriptor>, _ item: UInt32,
    _ type: String
  ) throws(DBusError) {
    let load = Load(session: session, item: item, try TypeQuery(asking: "type", type), type)
    try run(load, command, answering: reply) { command, bytes in
      reader.open(bytes, for: command, answering: reply) {
        finish(load, command, $0, $1, reply.send, orRefuse: reply.refuse)
      }
    }
  }

  func loadToPipe(
    _ session: SessionEntity, _ command: Command, _ reply: Reply<>, _ item: UInt32, _ type: String,
    _ pipe: FileDescriptor
  ) throws(DBusError) {
    let load = Load(session: session, item: item, try TypeQuery(asking: "type", type), type)
    guard clinux_is_write_end(pipe.number) == 1 else {
      throw DBusError(.invalidArgs, "fd: is not a pipe (expected the write end of a pipe)")
    }
    let (caller, sender) = (command.caller, command.sender)
    let representation: Representation
    do throws(DragError) {
      representation = try session.session.passedRepresentation(
        of: Int(item), matching: load.query, for: caller)
    } catch { throw error.answer(argument: "item") }
    guard let promise = representation.content as? PromisedContent else {
      throw DBusError(
        .invalidArgs,
        "type: \(representation.type) of item \(item) is not a promise (LoadFile returns the bytes)"
      )
    }
    session.change(in: command.step) { $0.ask(Int(item), by: caller) }
    command.step.afterCommit(answering: reply) { [scheduler = drags.scheduler] in
      session.pass(promise, to: pipe, for: sender) { step, result in
        finish(
          load, command.resumed(in: step), step, result, { reply.send() }, orRefuse: reply.refuse)
      }
      scheduler.step { session.noteLoading(in: $0) }
    }
  }

  /// A request of a client for one representation.
  private struct Load {
    let session: SessionEntity
    let item: UInt32
    let query: TypeQuery
    /// The name of the type in error messages.
    let name: String

    init(session: SessionEntity, item: UInt32, _ query: TypeQuery, _ name: String? = nil) {
      (self.session, self.item, self.query) = (session, item, query)
      self.name = name ?? "\(query)"
    }

    init(session: SessionEntity, item: UInt32, query: MIMEType, name: String) {
      self.init(session: session, item: item, TypeQuery(query), name)
    }
  }

  /// Calls `then` with the bytes of the first representation that matches and that the caller may
  /// load.
  ///
  /// If the bytes are available, `then` is called at once. Otherwise it is called after the promise
  /// has been loaded.
  private func run<each O: BusValue>(
    _ load: Load, _ command: Command, answering reply: Reply<repeat each O>,
    then: @escaping (Command, Payload) -> Void
  ) throws(DBusError) {
    let (session, caller) = (load.session, command.caller)
    let representation: Representation
    do throws(DragError) {
      representation = try session.session.representation(
        of: Int(load.item), matching: load.query, for: caller)
    } catch { throw error.answer(argument: "item") }
    session.change(in: command.step) { $0.ask(Int(load.item), by: caller) }
    if let bytes = try representation.availableBytes() { return then(command, bytes) }
    guard let promise = representation.content as? PromisedContent else { return }
    let sender = command.sender
    command.step.afterCommit(answering: reply) { [scheduler = drags.scheduler] in
      session.load(promise, for: sender) { step, result in
        switch result {
        case .success(let bytes): then(command.resumed(in: step), bytes)
        case .failure(let error): reply.refuse(error)
        }
      }
      scheduler.step { session.noteLoading(in: $0) }
    }
  }

  private func finish<Output>(
    _ load: Load, _ command: Command, _ step: Step, _ result: Result<Output, DBusError>,
    _ send: (Output) -> Void, orRefuse refuse: (DBusError) -> Void
  ) {
    switch result {
    case .success(let output):
      let caller = command.caller
      load.session.noteUse(at: drags.scheduler.uptime)
      load.session.change(in: step) { $0.didLoad(Int(load.item), by: caller) }
      load.session.noteLoading(in: step)
      send(output)
    case .failure(let error): refuse(error.reading(load.name, ofItem: load.item))
    }
  }
}

extension Representation {
  /// Returns the bytes if they are available; nil for a promise that has not been loaded.
  ///
  /// - Throws: IOError if the bytes cannot be read.
  fileprivate func availableBytes() throws(DBusError) -> Payload? {
    if let promise = content as? PromisedContent { return promise.bytes }
    guard let content = content as? ReadyContent else { throw .dragIsOver }
    do throws(StoreError) { return try content.bytes() } catch { throw error.answer }
  }
}

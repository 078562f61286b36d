import DBus
import DragModel
import DragboardInterface
import DragboardStore
import Files

/// The methods of `org.dragboard.Dragboard1.DragSession` that register representations.
struct SessionRegistration {
  let drags: Drags
  let work: ClientWork
  let limits: Limits

  func registerText(
    _ session: SessionEntity, _ command: Command, _ item: UInt32, _ text: String
  ) throws(DBusError) {
    try register(.plainText(text), item: item, argument: "text", in: session, command)
  }

  func registerPromise(
    _ session: SessionEntity, _ command: Command, _ item: UInt32, _ type: String,
    _ visibility: String, _ loader: ObjectPath
  ) throws(DBusError) {
    let (type, visible) = (
      try MIMEType(argument: "type", type), try Visibility(argument: visibility)
    )
    guard !loader.isReservedForLibrary else {
      throw DBusError(
        .invalidArgs, "loader: \(loader) is reserved (expected the path of an object of the caller)"
      )
    }
    let promise = PromisedContent(
      by: BusName(unchecked: command.sender), at: loader, type, item: Int(item), drags.promises)
    try register(
      Representation(type: type, visibility: visible, content: promise), item: item,
      argument: "type", in: session, command)
  }

  /// Registers the content of a file.
  ///
  /// The bytes of an unsealed file are copied first.
  func registerFile(
    _ session: SessionEntity, _ command: Command, _ reply: Reply<>, _ item: UInt32,
    _ type: String, _ visibility: String, _ descriptor: FileDescriptor
  ) throws(DBusError) {
    let registration = Registration(
      session: session, item: item, type: try MIMEType(argument: "type", type),
      visibility: try Visibility(argument: visibility), argument: "fd", command: command,
      reply: reply)
    let file = try ClientFile(argument: "fd", descriptor)
    try session.checkSource(command)
    if file.isSealed, !registration.type.isPlainText {
      return try registerNow(.sealed(file), registration)
    }
    let (max, contents, type) = (
      limits.maxRepresentationBytes, drags.promises.contents, registration.type
    )
    try registerLater(registration, kind: file.workKind) { (reading) throws(DBusError) in
      try file.taken(as: type, max: max, noting: reading, in: contents, argument: "fd")
    }
  }

  /// Registers bytes.
  ///
  /// If there are many, they are written to a file first.
  func registerData(
    _ session: SessionEntity, _ command: Command, _ reply: Reply<>, _ item: UInt32,
    _ type: String, _ visibility: String, _ data: [UInt8]
  ) throws(DBusError) {
    let registration = Registration(
      session: session, item: item, type: try MIMEType(argument: "type", type),
      visibility: try Visibility(argument: visibility), argument: "data", command: command,
      reply: reply)
    try registration.type.check(data, argument: "data")
    let bytes = Payload.memory(data)
    guard bytes.inlineBytes == nil else { return try registerNow(bytes, registration) }
    try session.checkSource(command)
    let contents = drags.promises.contents
    try registerLater(registration, bytes: data.count) { (_) throws(DBusError) in
      do throws(StoreError) { return try bytes.moved(in: contents) } catch {
        throw error.answer
      }
    }
  }

  // MARK: Now or later

  /// A call that registers a representation.
  private struct Registration {
    let session: SessionEntity
    let item: UInt32
    let type: MIMEType
    let visibility: Visibility
    let argument: String
    let command: Command
    let reply: Reply<>

    func representation(_ bytes: Payload) -> Representation {
      Representation(type: type, visibility: visibility, content: ReadyContent(bytes))
    }
  }

  private func registerNow(
    _ bytes: Payload, _ registration: Registration
  ) throws(DBusError) {
    try register(
      registration.representation(bytes), item: registration.item, argument: registration.argument,
      in: registration.session, registration.command)
    registration.reply.send()
  }

  private func register(
    _ representation: Representation, item: UInt32, argument: String, in session: SessionEntity,
    _ command: Command
  ) throws(DBusError) {
    try session.checkSource(command)
    try drags.edit(
      session, in: command.step, argument: argument, adding: representation.amount
    ) { session throws(DragError) in
      try session.register(representation, item: Int(item))
    }
    drags.moveToFiles([representation], in: command.step)
    command.step.emit(DragSessionInterface.itemChanged, from: session.path, item)
  }

  /// Calls `take` on another thread, and registers the bytes that it returns.
  ///
  /// `bytes` is the number of bytes in the argument `data`.
  /// Until then, the representation's position in the order of fidelity is reserved.
  private func registerLater(
    _ registration: Registration, bytes: Int = 0, kind: WorkKind = .storage,
    _ take: @escaping @Sendable (FileReading) throws(DBusError) -> Payload
  ) throws(DBusError) {
    let (session, command) = (registration.session, registration.command)
    let (type, item) = (registration.type, Int(registration.item))
    let reserved = SessionBytes.Amount(memory: Representation.reservedMemoryByteCount)
    try drags.edit(session, in: command.step, argument: "type", adding: reserved) {
      session throws(DragError) in
      try session.reserve(type, item: item)
    }
    let max = limits.maxRepresentationBytes
    do throws(DBusError) {
      guard bytes <= max else { throw .limit("data: max-representation-bytes", max) }
      try work.read(for: command, bytes: bytes, kind: kind, take) { step, taken in
        finish(registration, taken, in: step)
      } orElse: {
        registration.reply.refuse(.rolledBack)
      }
    } catch {
      session.change(in: command.step) { $0.release(type, item: item) }
      throw error
    }
  }

  private func finish(
    _ registration: Registration, _ taken: Result<Payload, DBusError>, in step: Step
  ) {
    let (session, item) = (registration.session, Int(registration.item))
    do throws(DBusError) {
      let representation = registration.representation(try taken.get())
      try drags.edit(
        session, in: step, argument: registration.argument,
        adding: representation.amount
      ) { session throws(DragError) in
        try session.fulfil(representation, item: item)
      }
      step.emit(
        DragSessionInterface.itemChanged, from: registration.session.path, registration.item)
      registration.reply.send()
    } catch {
      release(registration, in: step)
      registration.reply.refuse(error)
    }
  }

  /// Releases the reserved position.
  ///
  /// If a rollback restores the reservation, it is released again after the rollback.
  private func release(_ registration: Registration, in step: Step) {
    registration.session.change(in: step) {
      $0.release(registration.type, item: Int(registration.item))
    }
    step.afterCommit(
      {},
      orElse: { [scheduler = drags.scheduler] in
        scheduler.step { release(registration, in: $0) }
      })
  }
}

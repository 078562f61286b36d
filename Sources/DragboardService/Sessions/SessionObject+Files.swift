import DBus
import DragModel
import DragboardStore
import Files

/// Representations that come as files, or as bytes.
extension SessionObject {
  /// Registers what a file holds, once it has been taken over; its place in the order of fidelity is kept meanwhile.
  func registerFile(
    _ item: UInt32, _ type: String, _ visibility: String, _ descriptor: FileDescriptor,
    _ call: Call, _ reply: Reply<>
  ) throws(DBusError) {
    let (type, visible) = (
      try ContentType(argument: "type", type), try Visibility(argument: visibility)
    )
    let file = try ClientFile(argument: "fd", descriptor)
    try checkSource(call)
    if file.isSealed, !type.isPlainText {
      let representation = Representation(
        type: type, visibility: visible, content: ReadyContent(.sealed(file)))
      try register(item, representation, argument: "fd", call)
      return reply.send()
    }
    let (most, files) = (
      service.limits.maxRepresentationBytes, service.repository.contents
    )
    try takeOver(item, type, visible, call, reply, argument: "fd", kind: file.workKind) {
      (reading) throws(DBusError) in
      try file.taken(as: type, most: most, noting: reading, in: files)
    }
  }

  /// Registers bytes: many of them once they are in a file, so that no more are in memory than may wait for the disk.
  func registerData(
    _ item: UInt32, _ type: String, _ visibility: String, _ data: [UInt8], _ call: Call,
    _ reply: Reply<>
  ) throws(DBusError) {
    let (type, visible) = (
      try ContentType(argument: "type", type), try Visibility(argument: visibility)
    )
    try type.check(data, argument: "data")
    let bytes = Payload.memory(data)
    guard bytes.inlineBytes == nil else {
      let representation = Representation(
        type: type, visibility: visible, content: ReadyContent(bytes))
      try register(item, representation, argument: "data", call)
      return reply.send()
    }
    try checkSource(call)
    let most = service.limits.maxRepresentationBytes
    guard data.count <= most else { throw .limit("data: max-representation-bytes", most) }
    let files = service.repository.contents
    try takeOver(item, type, visible, call, reply, argument: "data", bytes: data.count) {
      (_) throws(DBusError) in
      do throws(StoreError) { return try bytes.moved(in: files) } catch {
        throw error.answer
      }
    }
  }

  /// Registers what `take` gives, when it has, off the loop; the place in the order of fidelity is kept meanwhile.
  private func takeOver(
    _ item: UInt32, _ type: ContentType, _ visibility: Visibility, _ call: Call, _ reply: Reply<>,
    argument: String, bytes: Int = 0, kind: WorkKind = .storage,
    _ take: @escaping @Sendable (FileReading) throws(DBusError) -> Payload
  ) throws(DBusError) {
    try edit(argument: "type") { session throws(DragError) in
      try session.reserve(type, item: Int(item))
    }
    let fate = service.batch.fate()
    do throws(DBusError) {
      try service.clientWork.read(for: call.sender, bytes: bytes, kind: kind, take) {
        [self] taken in
        let representation = taken.map {
          Representation(type: type, visibility: visibility, content: ReadyContent($0))
        }
        finish(registering: item, type, fate, reply, representation, argument: argument)
      }
    } catch {
      change { $0.release(type, item: Int(item)) }
      throw error
    }
  }

  private func finish(
    registering item: UInt32, _ type: ContentType, _ fate: Batch.Fate, _ reply: Reply<>,
    _ taken: Result<Representation, DBusError>, argument: String
  ) {
    do throws(DBusError) {
      guard !fate.isTakenBack else { throw .takenBack }
      try fulfil(try taken.get(), item: Int(item), argument: argument)
      reply.send()
    } catch {
      release(type, item: Int(item))
      reply.refuse(error)
    }
  }

  private func release(_ type: ContentType, item: Int) {
    change { $0.release(type, item: item) }
    // A batch that fails would bring the place back.
    guard service.batch.isProvisional else { return }
    service.schedule(after: .zero) { [self] in change { $0.release(type, item: item) } }
  }

  private func fulfil(
    _ representation: Representation, item: Int, argument: String
  ) throws(DBusError) {
    try edit(argument: argument, adding: representation.content.byteCount) {
      session throws(DragError) in try session.fulfil(representation, item: item)
    }
  }
}

import DBus
import DragModel

/// Representations that come as files.
extension SessionObject {
  /// Registers what a file holds, once it has been taken over; its place in the order of fidelity is kept meanwhile.
  func registerFile(
    _ item: UInt32, _ type: String, _ visibility: String, _ descriptor: FileDescriptor,
    _ call: Call, _ reply: Reply<>
  ) throws(DBusError) {
    let (type, visible) = (
      try ContentType(argument: "type", type), try Visibility(argument: visibility)
    )
    let file = try ClientFile(descriptor)
    try checkSource(call)
    func representation(_ bytes: Bytes) -> Representation {
      Representation(type: type, visibility: visible, content: EagerContent(bytes))
    }
    if file.isSealed, !type.isPlainText {
      try register(item, representation(.sealed(file)), argument: "fd", call)
      return reply.send()
    }
    try edit(argument: "type") { session throws(DragError) in
      try session.reserve(type, item: Int(item))
    }
    let (most, makeFile) = (
      service.limits.maxRepresentationBytes, service.repository.makeSpool
    )
    let fate = service.batch.fate()
    let mayHang = !file.isSealed
    do throws(DBusError) {
      try service.clientWork.run(for: call.sender, mayHang: mayHang) {
        Result { () throws(DBusError) in try file.taken(as: type, most: most, makeFile: makeFile) }
      } then: { [self] taken in
        finish(registering: item, type, fate, reply, taken.map(representation))
      }
    } catch {
      change { $0.release(type, item: Int(item)) }
      throw error
    }
  }

  private func finish(
    registering item: UInt32, _ type: ContentType, _ fate: Batch.Fate, _ reply: Reply<>,
    _ taken: Result<Representation, DBusError>
  ) {
    do throws(DBusError) {
      guard !fate.isTakenBack else { throw .takenBack }
      try fulfil(try taken.get(), item: Int(item))
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

  private func fulfil(_ representation: Representation, item: Int) throws(DBusError) {
    try edit(argument: "fd", adding: representation.content.byteCount) {
      session throws(DragError) in try session.fulfil(representation, item: item)
    }
  }
}

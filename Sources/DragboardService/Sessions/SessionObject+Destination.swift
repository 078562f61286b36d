import DBus
import DragModel
import DragboardInterface
import DragboardStore
import Files

/// A client takes the drop itself, and loads what it wants.
extension SessionObject {
  func accept(
    _ operation: String, as application: String, _ call: Call
  ) throws(DBusError) -> String {
    guard let wanted = DropOperation(rawValue: operation), wanted == .copy || wanted == .move else {
      throw DBusError(
        .invalidArgs, "operation: \(operation.quoted) is none; copy or move is needed")
    }
    let client = try service.application(application, of: call)
    willEnd()
    var acceptance: DropAcceptance?
    do throws(DragError) {
      try change { session throws(DragError) in
        acceptance = try session.accept(wanted, by: client)
      }
    } catch { throw error.answer(argument: "") }
    switch acceptance {
    case .grant(let granted)?:
      emit(DragSessionInterface.willEnd, granted.rawValue)
      watch(client)
      return granted.rawValue
    case .conclude(let conclusion)?: tell(conclusion)
    case nil: break
    }
    return DropOperation.forbidden.rawValue
  }

  func finish(_ call: Call) throws(DBusError) {
    willEnd()
    var conclusion: DragConclusion?
    do throws(DragError) {
      try change { session throws(DragError) in
        conclusion = try session.finish(by: call.caller)
      }
    } catch { throw error.answer(argument: "") }
    if let conclusion { tell(conclusion) }
  }

  // MARK: Loading

  func loadText(_ item: UInt32, _ call: Call, _ reply: Reply<String>) throws(DBusError) {
    let caller = call.caller
    try load(item, .plainText, call, orRefuse: reply.refuse) { [self] bytes in
      service.readText(bytes, for: call.sender, insteadUse: "LoadFile") { [self] result in
        switch result {
        case .success(let text):
          noteLoaded(item, by: caller)
          reply.send(text)
        case .failure(let error):
          reply.refuse(error.reading(ContentType.plainText.mime, ofItem: item))
        }
      }
    }
  }

  func loadData(
    _ item: UInt32, _ type: String, _ call: Call, _ reply: Reply<[UInt8]>
  ) throws(DBusError) {
    let query = try TypeQuery(asking: "type", type)
    try read(item, query, call, orRefuse: reply.refuse) { bytes in reply.send(bytes) }
  }

  func loadFile(
    _ item: UInt32, _ type: String, _ call: Call, _ reply: Reply<FileDescriptor>
  ) throws(DBusError) {
    let query = try TypeQuery(asking: "type", type)
    let caller = call.caller
    try load(item, query, call, orRefuse: reply.refuse) { [self] bytes in
      let fate = service.batch.fate()
      service.clientCopies.open(bytes, for: call.access) { [self] result in
        guard !fate.isTakenBack else { return reply.refuse(.takenBack) }
        switch result {
        case .success(let file):
          noteLoaded(item, by: caller)
          reply.send(file)
        case .failure(let error): reply.refuse(error.reading(type, ofItem: item))
        }
      }
    }
  }

  /// Has `then` called with the bytes in memory, where one reply holds them.
  private func read(
    _ item: UInt32, _ query: TypeQuery, _ call: Call,
    orRefuse refuse: @escaping (DBusError) -> Void, then: @escaping ([UInt8]) -> Void
  ) throws(DBusError) {
    try load(item, query, call, orRefuse: refuse) { [self] bytes in
      guard bytes.byteCount <= Service.largestReply else {
        return refuse(.tooLargeForReply(bytes.byteCount, insteadUse: "LoadFile"))
      }
      let caller = call.caller
      service.read(bytes, for: call.sender) { [self] result in
        switch result {
        case .success(let data):
          noteLoaded(item, by: caller)
          then(data)
        case .failure(let error): refuse(error.answer.reading("\(query)", ofItem: item))
        }
      }
    }
  }

  /// Has `then` called with the bytes of the first representation that conforms and that the caller may have.
  private func load(
    _ item: UInt32, _ query: TypeQuery, _ call: Call,
    orRefuse refuse: @escaping (DBusError) -> Void, then: @escaping (Payload) -> Void
  ) throws(DBusError) {
    let caller = call.caller
    let representation: Representation
    do throws(DragError) {
      representation = try session.representation(of: Int(item), matching: query, for: caller)
    } catch { throw error.answer(argument: "item") }
    change { $0.ask(Int(item), by: caller) }
    let fate = service.batch.fate()
    loads.load(representation.content, for: call.sender) { result in
      guard !fate.isTakenBack else { return refuse(.takenBack) }
      switch result {
      case .success(let bytes): then(bytes)
      case .failure(let error): refuse(error)
      }
    }
    noteLoading()
  }

  /// The destination has got something of an item.
  private func noteLoaded(_ item: UInt32, by caller: Caller) {
    lastUse = service.uptime
    change { $0.didLoad(Int(item), by: caller) }
    noteLoading()
  }
}

extension Service {
  /// The most bytes of an array or a text in one reply.
  static let largestReply = 64 << 20

  /// Has `then` called with bytes as the text of a D-Bus string: at once where they are few, else when they have been read off the
  /// loop; with LimitsExceeded, which names another member, where one reply does not hold them.
  func readText(
    _ bytes: Payload, for client: String, insteadUse member: String,
    then: @escaping (Result<String, DBusError>) -> Void
  ) {
    guard bytes.byteCount <= Self.largestReply else {
      return then(.failure(.tooLargeForReply(bytes.byteCount, insteadUse: member)))
    }
    if let few = bytes.inlineBytes { return then(Self.text(of: few, insteadUse: member)) }
    largeReads.run(for: client, bytes: bytes.byteCount) {
      do throws(StoreError) {
        return Self.text(of: try bytes.read(), insteadUse: member)
      } catch { return .failure(error.answer) }
    } then: {
      then($0)
    }
  }

  private static func text(
    of bytes: [UInt8], insteadUse member: String
  ) -> Result<String, DBusError> {
    let text = WireText.sanitized(String(decoding: bytes, as: UTF8.self))
    guard text.utf8.count <= largestReply else {
      return .failure(.tooLargeForReply(text.utf8.count, insteadUse: member))
    }
    return .success(text)
  }

  /// Has `then` called with bytes in memory: at once where they are there, else when they have been read off the loop.
  func read(
    _ bytes: Payload, for client: String,
    then: @escaping (Result<[UInt8], StoreError>) -> Void
  ) {
    if let data = bytes.inMemory { return then(.success(data)) }
    largeReads.run(for: client, bytes: bytes.byteCount) {
      Result { () throws(StoreError) in try bytes.read() }
    } then: {
      then($0)
    }
  }
}

extension DBusError {
  /// One reply does not hold so many bytes.
  static func tooLargeForReply(_ byteCount: Int, insteadUse member: String) -> DBusError {
    DBusError(
      .limitsExceeded,
      "\(byteCount) bytes are too many for one reply, which ends at 64 MiB; \(member) gives them as a file"
    )
  }
}

import DBus
import DragModel

/// Asks the inspector for what this process cannot see: one in a user namespace of its own sees no other's root.
///
/// Its answer counts where it comes from who has the inspector's name: what answers a call to a well-known name can come from anybody.
final class InspectorQueries {
  private let connection: Connection
  /// Who has the name, and who had it before: who has given it back answers what it was asked.
  private var owners: [String] = []
  private var isWatching = false

  init(_ connection: Connection) { self.connection = connection }

  /// Has `then` called with what the inspector sees of a client's process in place of what `evidence` lacks.
  ///
  /// - Parameters:
  ///   - evidence: what is seen here.
  ///   - client: the unique name of the client.
  ///   - patience: after that the inspector is waited for no longer.
  ///   - then: gets the evidence as it was where nobody answers.
  func complete(
    _ evidence: ConfinementEvidence, of client: String, within patience: Duration,
    then: @escaping (ConfinementEvidence) -> Void
  ) {
    watchOwner()
    let method = InspectorInterface.inspect
    let call = Message.call(
      method.description.name, of: method.interface, at: InspectorInterface.path,
      to: InspectorInterface.busName)
    call.append(client)
    connection.send(call, timeout: patience) { [self] result in
      guard case .success(let reply) = result, let sender = reply.sender, owners.contains(sender),
        let values = try? reply.arguments(as: [String: [UInt8]].self, [String].self)
      else { return then(evidence) }
      let seen = SeenFiles(contents: values.0, absent: values.1)
      then(evidence.completed(by: seen.flatpakInfo, seen.controlGroups))
    }
  }

  /// Begins to watch with the first question; the bus tells who has the name before it carries an answer.
  private func watchOwner() {
    guard !isWatching else { return }
    isWatching = true
    connection.watchOwner(of: InspectorInterface.busName) { [weak self] owner in
      if let owner { self?.note(owner) }
    }
    connection.call(
      BusInterface.getNameOwner, at: BusInterface.path, of: .bus, timeout: nil,
      InspectorInterface.busName.text
    ) { [weak self] result in
      if case .success(let owner) = result { self?.note(owner) }
    }
  }

  private func note(_ owner: String) {
    if owners.first != owner { owners = [owner] + owners.prefix(1) }
  }
}

public import LinkModel

/// The change of the machine that runs the server.
extension Group {
  /// The host that this machine has to follow; nil if it uses the last one.
  ///
  /// After the entry about the new host, no entry is appended on the earlier server.
  public var newHost: HostMove? {
    guard let move = state.host, let host = configuration.server.host,
      host.certificate != move.certificate, move.epoch > configuration.hostEpoch
    else { return nil }
    return move
  }

  /// The name of a machine; "?" if it is no longer in the group.
  public func name(of machine: MachineKey) -> String { state.machines[machine]?.name ?? "?" }

  func checkHost() throws(Refusal) {
    guard let move = newHost, move.machine != own else { return }
    throw Refusal(
      description:
        "group: \(name(of: move.machine)) runs the server now (expected a command that uses it, after this machine has followed)"
    )
  }

  /// Publishes the key with which this machine logs in, so that another machine can become the host.
  public func publishLogin() async throws {
    guard let login = configuration.server.host?.login.publicKey, newHost == nil else { return }
    try await change { [own] state in state.logins[own] == login ? nil : .login(login) }
  }

  /// Appends the entry that makes a server of this machine the server of the group.
  ///
  /// If it is there already, returns it. Of two machines that try at the same time, one gets `Refusal`.
  func announce(_ server: HostedServer, at url: String) async throws -> HostMove {
    func isOwn(_ move: HostMove?) -> Bool { move?.certificate == server.certificate }
    try await update()
    if !isOwn(state.host) {
      try await change { [own] state in
        .moved(
          HostMove(
            epoch: (state.host?.epoch ?? 0) + 1, machine: own, url: url,
            certificate: server.certificate))
      }
    }
    guard let move = state.host, isOwn(move) else { throw LinkError.otherServer(url) }
    return move
  }

  /// Moves the logs of the group to a server of this machine, which does not admit other machines yet.
  ///
  /// This group uses the earlier server; `new` uses the server of this machine. Every step can be repeated.
  public func move(to new: Group, _ server: HostedServer, at url: String) async throws -> HostMove {
    let move = try await announce(server, at: url)
    for board in state.boards.keys.sorted() {
      let (logs, others) = (logs(of: board), await new.logs(of: board))
      // Until the log is ended, another machine can replace it by a later log.
      while true {
        let log = try await logs.current()
        try await log.copy(to: try others.open(log.id), ends: true)
        if try logs.latestKnown() == log.id { break }
      }
    }
    // After the entry about the host, no machine appends an entry to this log.
    try await log.copy(to: new.log, ends: false)
    try await new.update()
    return move
  }

  /// Restores the logs of a group whose server is lost on a server of this machine, which this group uses
  /// and which does not admit other machines yet.
  ///
  /// The logs have all entries that this machine has read. Every step can be repeated.
  public func restore(_ server: HostedServer, at url: String) async throws -> HostMove {
    try await log.restoreAll()
    try await update()
    for board in state.boards.keys.sorted() {
      let latest = try self.log(of: board)
      guard try latest.head.number > 0 else { continue }
      // If this machine no longer has all entries, the machines begin the log again from their boards.
      do { try await latest.restoreAll() } catch LinkError.olderLog {}
    }
    return try await announce(server, at: url)
  }

  /// The machines that can log in at a server of this machine, and the names of the others.
  public var logins: (known: [(login: [UInt8], publicKey: [UInt8])], unknown: [String]) {
    var (known, unknown): ([(login: [UInt8], publicKey: [UInt8])], [String]) = ([], [])
    for (key, machine) in state.machines where key != own {
      if let login = state.logins[key] {
        known.append((login, machine.publicKey))
      } else {
        unknown.append(machine.name)
      }
    }
    return (known, unknown.sorted())
  }
}

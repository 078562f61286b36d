import DragboardClient

/// Looks at everything that has to be right for the daemon to be there.
struct Examination {
  private let address: String?
  private let data: String?

  /// - Parameters:
  ///   - address: the bus; nil is the session bus.
  ///   - data: the data directory; nil is the default.
  init(address: String?, data: String?) { (self.address, self.data) = (address, data) }

  /// The findings, in the order in which one part needs the other.
  func findings() -> [Finding] {
    do {
      let (onBus, id) = try DragboardConnection.run(to: address) { dragboard in
        try await Self.daemon(on: dragboard)
      }
      let bus = Finding(.good, "bus", address ?? "the session bus answers")
      return [bus] + onBus + files(daemon: id)
    } catch {
      return [Self.noBus(error)] + files(daemon: nil)
    }
  }

  private static func noBus(_ error: any Error) -> Finding {
    let hasAddress = Environment["DBUS_SESSION_BUS_ADDRESS"] != nil
    return Finding(
      .bad, "bus", "\(error)",
      remedy: hasAddress
        ? "Is the address right? DBUS_SESSION_BUS_ADDRESS leads there."
        : "Log in to a desktop or a user session, or try: dbus-run-session -- bash")
  }

  /// The findings about the daemon, and its process id if it runs.
  private static func daemon(
    on dragboard: isolated DragboardConnection
  ) async throws(DragboardError) -> ([Finding], Int32?) {
    let canStart = try await dragboard.daemon.isActivatable()
    let activation =
      canStart
      ? Finding(.good, "activation", "the bus can start the daemon")
      : Finding(
        .bad, "activation", "the bus does not know how to start the daemon",
        remedy: "Install org.dragboard.Dragboard1.service, then: busctl --user call "
          + "org.freedesktop.DBus / org.freedesktop.DBus ReloadConfig")
    guard try await dragboard.daemon.isRunning() else {
      let remedy = canStart ? nil : "Start it: dragboardd &"
      let state = canStart ? Finding.State.note : .bad
      let daemon = Finding(state, "daemon", "does not run now", remedy: remedy)
      return ([activation, daemon], nil)
    }
    let id = try await dragboard.daemon.processID()
    let findings = [
      activation, Finding(.good, "daemon", "runs as process \(id)"),
      try await version(of: dragboard), try await boards(of: dragboard),
    ]
    return (findings, id)
  }

  private static func version(
    of dragboard: isolated DragboardConnection
  ) async throws(DragboardError) -> Finding {
    let version = try await dragboard.daemon.version()
    guard version == DragboardConnection.version else {
      return Finding(
        .bad, "version", "the daemon is \(version), this command \(DragboardConnection.version)",
        remedy: "Restart the daemon: systemctl --user restart dragboardd")
    }
    return Finding(.good, "version", version)
  }

  private static func boards(
    of dragboard: isolated DragboardConnection
  ) async throws(DragboardError) -> Finding {
    let boards = try await dragboard.boards()
    let rows = boards.reduce(0) { $0 + $1.info.count }
    return Finding(
      .good, "boards", "\(Amounts.count(boards.count, "board")), \(Amounts.count(rows, "row"))")
  }

  /// The data folder, which the daemon makes, and may not be able to.
  private func files(daemon: Int32?) -> [Finding] {
    if let data { return DataFolder(data, daemon: daemon).findings() }
    let home = Environment["XDG_DATA_HOME"] ?? Environment["HOME"].map { "\($0)/.local/share" }
    guard let folder = Environment["DRAGBOARD_DATA"] ?? home.map({ "\($0)/dragboard" }) else {
      return [
        Finding(.bad, "data", "neither XDG_DATA_HOME nor HOME is set")
      ]
    }
    return DataFolder(folder, daemon: daemon).findings()
  }
}

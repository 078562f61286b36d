import DragboardClient
import Files
import Glibc

/// An examination of everything that the daemon needs to run.
struct Examination {
  private let address: String?
  private let data: String?

  /// - Parameters:
  ///   - address: the address of the bus; nil for the session bus.
  ///   - data: the data directory; nil for the default.
  init(address: String?, data: String?) { (self.address, self.data) = (address, data) }

  /// Returns the findings.
  ///
  /// A part comes after the parts that it needs.
  func findings() -> [Finding] {
    do {
      let (onBus, id, clipboard) = try DragboardConnection.run(to: address) { dragboard in
        let (findings, id) = try await Self.daemon(on: dragboard)
        let clipboard = await ClipboardFinding.examine(dragboard)
        return (findings, id, await [clipboard] + UpdateFinding.examine(dragboard))
      }
      let bus = Finding(.good, "bus", address ?? "the session bus answers")
      let files = files(daemon: id)
      let canStart = id != nil || files.allSatisfy { $0.state != .bad }
      return [bus] + onBus.map { canStart ? $0 : $0.ofDaemonThatCannotStart }
        + [RootFinding.examine(daemon: id)].compactMap(\.self) + files
        + clipboard + [LinkFinding.examine()]
    } catch {
      return [noBus(error)] + files(daemon: nil, isBusKnown: false) + [LinkFinding.examine()]
    }
  }

  /// Returns the findings about the desktop.
  func desktopFindings() -> [Finding] {
    let clipboard = try? DragboardConnection.run(to: address) { dragboard in
      [
        await ClipboardFinding.examine(dragboard),
        await ClipboardFinding.examineApplications(dragboard),
        await ClipboardFinding.examinePasting(dragboard),
      ].compactMap(\.self)
    }
    return DesktopFindings.examine() + (clipboard ?? [])
  }

  /// The fault that prevents the start of the daemon; nil if there is no such fault.
  ///
  /// It is found without the bus.
  var startFault: Finding? { files(daemon: nil).first { $0.state == .bad } }

  private func noBus(_ error: any Error) -> Finding {
    guard address == nil else {
      return Finding(
        .bad, "bus", "--address: there is no bus at this address: \(error)",
        remedy: "To use the session bus: dragboard doctor")
    }
    guard Environment["DBUS_SESSION_BUS_ADDRESS"] != nil else {
      return Finding(.bad, "bus", "\(error)", remedy: "dbus-run-session -- bash")
    }
    let socket = Environment["XDG_RUNTIME_DIR"].map { "\($0)/bus" } ?? "/run/user/\(getuid())/bus"
    let isThere = access(socket, W_OK) == 0
    return Finding(
      .bad, "bus", "DBUS_SESSION_BUS_ADDRESS: there is no bus at this address: \(error)",
      remedy: isThere
        ? "export DBUS_SESSION_BUS_ADDRESS=\(ShellWord.quoted("unix:path=\(socket)"))"
        : "dbus-run-session -- bash")
  }

  /// Returns the findings about the daemon, and its process id if it runs.
  private static func daemon(
    on dragboard: isolated DragboardConnection
  ) async throws(DragboardError) -> ([Finding], Int32?) {
    let canStart = try await dragboard.daemon.isActivatable()
    let activation =
      canStart
      ? ActivationFile()?.fault() ?? Finding(.good, "activation", "the bus can start the daemon")
      : Finding(
        .bad, "activation", "the bus cannot start the daemon: its activation file is missing",
        remedy: "Install org.dragboard.Dragboard1.service, then: busctl --user call "
          + "org.freedesktop.DBus / org.freedesktop.DBus ReloadConfig")
    guard try await dragboard.daemon.isRunning() else {
      let remedy = canStart ? nil : "Start it: dragboardd &"
      let state = canStart ? Finding.State.note : .bad
      let daemon = Finding(state, "daemon", "is not running", remedy: remedy)
      return ([activation, daemon], nil)
    }
    let id = try await dragboard.daemon.processID()
    let answers = try? await Deadline.run {
      [try await version(of: dragboard), try await boards(of: dragboard)]
    }
    guard let answers else { return ([activation, frozen(id)], id) }
    let daemon =
      UpdateFinding.examine("daemon", process: id)
      ?? Finding(.good, "daemon", "runs as process \(id)")
    return ([activation, daemon] + answers, id)
  }

  /// Returns the finding for a daemon that does not reply; source: proc_pid_stat(5).
  private static func frozen(_ id: Int32) -> Finding {
    let stat = (try? InputFile(path: "/proc/\(id)/stat").bytes()) ?? []
    let state = String(decoding: stat, as: UTF8.self).split(separator: ")").last?.first {
      $0 != " "
    }
    guard state == "T" else {
      return Finding(
        .bad, "daemon", "process \(id) does not reply", remedy: "kill -KILL \(id)")
    }
    return Finding(.bad, "daemon", "process \(id) is stopped", remedy: "kill -CONT \(id)")
  }

  private static func version(
    of dragboard: isolated DragboardConnection
  ) async throws(DragboardError) -> Finding {
    let version = try await dragboard.daemon.version()
    guard version == DragboardConnection.version else {
      return Finding(
        .bad, "version",
        "the daemon has version \(version), but this command has \(DragboardConnection.version)",
        remedy: "Restart the daemon: \(SuggestedCall("restart", hasBoard: false))")
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

  /// Returns the findings about the configuration and the data directory.
  private func files(daemon: Int32?, isBusKnown: Bool = true) -> [Finding] {
    let setup = DaemonSetup(daemon: daemon, data: data)
    let fault = setup.configurationFault() ?? daemon.flatMap(setup.outdatedSettings)
    let settings = fault.map { [$0] } ?? []
    guard let directory = setup.dataDirectory else {
      let words = "HOME is not an absolute path, so the daemon has no data directory"
      return settings + [
        Finding(
          .bad, "data", words, remedy: #"export HOME="$(getent passwd "$(id -u)" | cut -d: -f6)""#)
      ]
    }
    return settings + DataFolder(directory, daemon: daemon, isFree: isBusKnown).findings()
  }
}

extension Finding {
  /// The finding about a daemon that cannot start because of its configuration or data.
  fileprivate var ofDaemonThatCannotStart: Finding {
    subject == "daemon" ? Finding(.bad, "daemon", "cannot start, for the reason below") : self
  }
}

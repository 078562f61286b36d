import ArgumentParser
import DragboardClient
import Files
import Glibc
import LinkArguments
import LinkEngine

/// The command `dragboard-link`.
@main
struct DragboardLink: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dragboard-link",
    abstract: "Share boards and drags between machines.",
    discussion: """
      A NATS server with JetStream carries the edits. It cannot read them: all data is sealed with a key that only \
      invited machines have. Every machine has a full copy and works offline.

      The systemd unit dragboard-link.service runs 'dragboard-link run'. 'dragboard link' has all other \
      subcommands.

      EXAMPLES:
        dragboard-link with desktop                 shares the board "shared" with a machine that ssh reaches
        dragboard-link setup nats://server:4222     on the first machine of a group with another server
        dragboard-link invite                       prints a line for one more machine
        dragboard-link join -                       on the other machine; reads the line
        dragboard-link share work                   shares the board "work"
        dragboard-link run                          on each machine; exchanges edits
      """,
    version: DragboardConnection.version,
    subcommands: [
      LinkWith<NoCompletions>.self, LinkHost.self, LinkMoveHost.self,
      LinkSetup.self, LinkInvite.self, LinkJoin.self,
      LinkShare<NoCompletions>.self,
      LinkAccept<NoCompletions>.self, LinkUnshare<NoCompletions>.self,
      LinkFiles<NoCompletions>.self, LinkDrags.self, LinkPause.self, LinkResume.self,
      LinkStatus.self, LinkServer.self, LinkRemove<NoCompletions>.self, LinkLeave.self, Run.self,
      Serve.self, Admit.self,
    ])

  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try parseAsRoot()
      if let command = command as? any PerformedSubcommand {
        try await command.perform()
      } else {
        try command.run()
      }
    } catch {
      end(by: error)
    }
    end(with: EXIT_SUCCESS)
  }

  /// Ends the process without the exit handlers of libraries.
  ///
  /// A connection may still be closing on another thread. With TLS, this thread would use memory that
  /// OpenSSL's exit handler has released.
  private static func end(with code: Int32) -> Never {
    fflush(nil)
    _exit(code)
  }

  /// Prints an error and exits with the exit code of its kind, as `dragboard` does.
  private static func end(by error: any Error) -> Never {
    let code: Int32
    switch error {
    case LinkError.removed, is ServiceLock.InUse: code = EX_NOPERM
    case let error as LinkError: code = error.isTemporary ? EX_UNAVAILABLE : EXIT_FAILURE
    case is Group.Refusal, is NotConfigured, is AlreadyConfigured, is FilesOfClipboard,
      is Serve.NotServing, is HostedPrograms.CopiedServer:
      code = EX_NOPERM
    case is Invitation.Problem, is ServerAddress.Problem, is Tunnel.Problem: code = EX_USAGE
    case is HostedPrograms.Missing, is LinkHost.WithoutAvahi: code = EX_NOINPUT
    case is Hosting.Unreachable: code = EX_UNAVAILABLE
    case let error as RemoteHost.Failure:
      code = error.isTemporary ? EX_UNAVAILABLE : EXIT_FAILURE
    case is SystemError: code = EX_OSERR
    case is LinkConfiguration.Problem, is ConfigurationStore.Exposure: code = EX_CONFIG
    case is FileError: code = EX_IOERR
    case let error as DragboardError where error.reason.isAbsence: code = EX_UNAVAILABLE
    case let error as DragboardError where error.reason.isNotFound: code = EX_NOINPUT
    case is DragboardError: code = EXIT_FAILURE
    default: end(byOther: error)
    }
    let message = (error as? DragboardError)?.message ?? "\(error)"
    StandardError.writeLine("Error: \(message)")
    end(with: code)
  }

  /// Prints an error of another kind, such as wrong usage, and exits.
  ///
  /// The message may quote an argument. A request for help is not a failure, so its text is printed
  /// unchanged.
  private static func end(byOther error: any Error) -> Never {
    let code = exitCode(for: error)
    guard code != .success else { exit(withError: error) }
    let message = fullMessage(for: error)
    if !message.isEmpty {
      for line in message.split(separator: "\n", omittingEmptySubsequences: false) {
        StandardError.writeLine(String(line))
      }
    }
    end(with: code.rawValue)
  }
}

/// A subcommand that this program performs.
///
/// `LinkArguments` declares its arguments.
protocol PerformedSubcommand {
  func perform() async throws
}

/// The error of a command that needs a group, if this machine is not in a group.
struct NotConfigured: Error, CustomStringConvertible {
  let description =
    "link: this machine is not in a group (to be in one: dragboard link setup URL, or dragboard link join LINE)"
}

/// The error of `setup` and `join` if this machine is already in a group.
struct AlreadyConfigured: Error, CustomStringConvertible {
  let description = "link: this machine is already in a group (to leave it: dragboard link leave)"
}

extension ConfigurationStore {
  /// Returns the group of this machine with a connection to its server, which must answer.
  func openGroup() throws -> Group {
    guard let configuration = try load() else { throw NotConfigured() }
    return try Group(
      configuration, in: self, on: try NATSConnection(to: configuration.server, waits: false))
  }

  /// Registers a machine in its group.
  ///
  /// If this fails, the configuration is removed.
  func enter(_ configuration: LinkConfiguration) async throws -> GroupState {
    guard !exists else { throw AlreadyConfigured() }
    // Connect first, so that a wrong address leaves no file.
    let connection = try NATSConnection(to: configuration.server, waits: false)
    try save(configuration)
    do {
      let group = try Group(configuration, in: self, on: connection)
      try await group.join()
      try await group.publishLogin()
      let state = await group.state
      if let host = state.host {
        var current = configuration
        current.hostEpoch = host.epoch
        try save(current)
      }
      return state
    } catch {
      try? remove()
      throw error
    }
  }
}

extension FileDescriptor {
  static let standardOutput = FileDescriptor(adopting: dup(1), path: "standard output")

  /// Writes a text.
  ///
  /// If the reader has exited, the text is lost without an error.
  func print(_ text: String) {
    try? write(Array(text.utf8))
  }
}

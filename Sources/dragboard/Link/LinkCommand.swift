import ArgumentParser
import Files
import LinkArguments

struct LinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link", abstract: "Share boards and drags with other machines.",
    discussion: """
      Every machine has a full copy of a shared board and works offline. A NATS server with JetStream carries the edits; \
      it cannot read them. 'with' and 'host' start such a server on one of your machines. 'setup' uses a server of an \
      administrator; then 'systemctl --user enable --now dragboard-link' starts the exchange of edits. 'dragboard link' \
      runs the program dragboard-link, which is installed separately.

      EXAMPLES:
        dragboard link with desktop    shares a board with 'desktop', by ssh
        dragboard link host            prints a line for a machine of the network
        dragboard link join            on that machine; paste the line
        dragboard link share work
        dragboard link status

      Exit codes: 0 success; 1 any other failure; 64 invalid command line or invitation; 66 no such board, or \
      dragboard-link, nats-server or Avahi is not installed; 69 no bus, no daemon, or the server does not answer; 71 error of the system; 74 error of a file; 77 \
      refused, for example because this machine is not in a group; 78 the file of the keys is invalid, or other users can \
      read it.
      """,
    subcommands: [
      LinkWith<DaemonCompletions>.self, LinkHost.self, LinkMoveHost.self, LinkSetup.self,
      LinkInvite.self, LinkJoin.self, LinkShare<DaemonCompletions>.self,
      LinkAccept<DaemonCompletions>.self, LinkUnshare<DaemonCompletions>.self,
      LinkFiles<DaemonCompletions>.self, LinkDrags.self, LinkPause.self, LinkResume.self,
      LinkStatus.self, LinkServer.self, LinkRemove<DaemonCompletions>.self, LinkLeave.self,
    ])
}

/// The completions that ask the daemon, or the link.
enum DaemonCompletions: LinkCompletions {
  static var boards: CompletionKind { .boards }
  static var machines: CompletionKind { .machines }
}

extension LinkSubcommand {
  /// Runs `dragboard-link` with the words of the command line.
  static func runProgram() throws {
    guard let program = try? Program.findSibling(LinkReport.program) else {
      throw CommandError(
        .notFound, "dragboard-link is not installed",
        remedy: "To build and install it: packaging/install --help")
    }
    // The first word, `link`, is not an argument of the program.
    let words = Array(NativeArguments.words.dropFirst())
    let status: Int32
    do throws(SystemError) { status = try Subprocess(program, words).wait() } catch {
      throw CommandError(.failure, error.description)
    }
    guard status == 0 else { throw ExitCode(status) }
  }
}

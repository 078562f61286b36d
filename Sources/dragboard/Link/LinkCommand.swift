import ArgumentParser

struct LinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link", abstract: "Share boards and drags with other machines.",
    discussion: """
      Every machine has a full copy of a shared board and works offline. A NATS server with JetStream carries the edits; \
      it cannot read them. 'dragboard link' runs the program dragboard-link, which is installed separately. After 'setup' \
      or 'join', 'systemctl --user enable --now dragboard-link' starts the exchange of edits.

      EXAMPLES:
        dragboard link setup tls://server:4222    on the first machine
        dragboard link invite                     prints a line for a machine
        dragboard link join -                     on that machine; reads the line
        dragboard link share work
        dragboard link status

      Exit codes: 0 success; 1 any other failure; 64 invalid command line or invitation; 66 no such board, or \
      dragboard-link is not installed; 69 no bus, no daemon, or the server does not answer; 74 error of a file; 77 \
      refused, for example because this machine is not in a group; 78 the file of the keys is invalid, or other users can \
      read it.
      """,
    subcommands: [
      LinkSetup.self, LinkInvite.self, LinkJoin.self, LinkShare.self, LinkAccept.self,
      LinkUnshare.self, LinkDrags.self, LinkStatus.self, LinkServer.self, LinkRemove.self,
      LinkLeave.self,
    ])
}

/// A subcommand that the program `dragboard-link` executes.
///
/// The subcommand declares the arguments of the program again, for the help, the manual page and
/// the completion.
private protocol LinkSubcommand: ParsableCommand {}

extension LinkSubcommand {
  func run() throws {
    guard let program = try? Program.findSibling(LinkReport.program) else {
      throw CommandError(
        .notFound, "dragboard-link is not installed",
        remedy: "To build and install it: packaging/install --help")
    }
    // The first word, `link`, is not an argument of the program.
    let words = Array(NativeArguments.words.dropFirst())
    let status: Int32
    do throws(Failure) { status = try Subprocess(program, words).wait() } catch {
      throw CommandError(.failure, error.description)
    }
    guard status == 0 else { throw ExitCode(status) }
  }
}

struct LinkSetup: LinkSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "setup", abstract: "Create a group and add this machine to it.",
    discussion: """
      The server is nats-server 2.9 or later with JetStream (nats-server -js). Use tls:// for a server on another \
      machine. With nats:// an observer on the network sees the password and the times of edits, but no edits.
      """)

  @OptionGroup var server: LinkServerOptions
  @OptionGroup var naming: LinkNaming
}

struct LinkInvite: LinkSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "invite", abstract: "Print the line with which another machine joins the group.",
    discussion: """
      The line contains the keys of the group. Send it as you would send a password. After 'remove' or 'leave', the \
      group has a new key: print a new line.
      """)
}

struct LinkJoin: LinkSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Join a group with the line that 'invite' printed.",
    discussion: """
      EXAMPLES:
        ssh desktop dragboard link invite | dragboard link join -
      """)

  @Argument(help: "The line, or - to read it from standard input, where other users cannot see it.")
  var line: String
  @OptionGroup var naming: LinkNaming
}

struct LinkShare: LinkSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "share", abstract: "Share a board with all machines of the group.",
    discussion: """
      A machine without a board of this name gets one. If another machine already has a board of this name, its board \
      is shared only after 'dragboard link accept' on that machine. Then the boards are merged. The boards 'default' \
      and 'clipboard' always need this.
      """)

  @Argument(help: "Name of the board.", completion: .boards)
  var board: String
}

struct LinkAccept: LinkSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "accept",
    abstract: "Share this machine's board with the machines that already share it.",
    discussion: """
      Another machine has shared a board, and this machine has a board of the same name. The boards are merged: all \
      rows of this machine's board are sent to the other machines. Equal rows are merged into one.

      EXAMPLES:
        dragboard link status
        dragboard link accept work
      """)

  @Argument(help: "Name of the board.", completion: .boards)
  var board: String
}

struct LinkUnshare: LinkSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "unshare", abstract: "End the sharing of a board; every machine retains its copy.")

  @Argument(help: "Name of the board.", completion: .boards)
  var board: String
}

struct LinkDrags: LinkSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "drags", abstract: "Set whether drags cross machines; the default is on.",
    discussion: """
      A drag that begins on one machine of the group can be dropped on another machine. The bytes cross at the drop. A \
      change takes effect within seconds; drags that have begun before 'on' stay on their machine.

      EXAMPLES:
        dragboard link drags off
      """)

  enum Setting: String, CaseIterable, ExpressibleByArgument {
    case on, off
  }

  @Argument(help: "The new setting.")
  var setting: Setting
}

struct LinkStatus: LinkSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Print the server, the machines and the shared boards.",
    discussion: """
      EXAMPLES:
        dragboard link status --json | jq '.boards[] | select(.pending > 0).name'
      """)

  @OptionGroup var output: OutputOptions
}

struct LinkServer: LinkSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "server", abstract: "Change the server's address or password on this machine.",
    discussion: """
      The server must already have the data of the group. The new settings take effect when the link starts again.

      EXAMPLES:
        dragboard link server tls://server:4222 --user board --password-file password
        systemctl --user restart dragboard-link
      """)

  @OptionGroup var server: LinkServerOptions
}

struct LinkRemove: LinkSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove another machine and change the key of the group.",
    discussion: """
      The removed machine retains its copies of the boards, and cannot read later edits. Change the password of the \
      server, too, and then run 'dragboard link server' on each machine: with the old password, the removed machine \
      could still disturb the others.
      """)

  @Argument(help: "Name of the machine.", completion: .machines)
  var machine: String
}

struct LinkLeave: LinkSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "leave",
    abstract: "Leave the group; this machine retains its copies of the boards.")

  @Flag(help: "Remove only the keys from this machine; do not connect to the server.")
  var offline = false
}

/// The address of a server, and the options for its certificate and password.
struct LinkServerOptions: ParsableArguments {
  @Argument(help: "Address of the server: nats://HOST:PORT or tls://HOST:PORT.")
  var url: String
  @Option(
    help: ArgumentHelp(
      "Certificates of the authority that signed the server's certificate.", valueName: "file"),
    completion: .file())
  var ca: String?
  @Option(help: "User name for the server.")
  var user: String?
  @Option(
    help: ArgumentHelp(
      "File with the password, or with the token if there is no user.", valueName: "file"),
    completion: .file())
  var passwordFile: String?
}

/// The option for the name of a machine.
struct LinkNaming: ParsableArguments {
  @Option(help: "Name of this machine in the group (default: the host name).")
  var name: String?
}

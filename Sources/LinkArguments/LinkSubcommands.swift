public import ArgumentParser

/// A subcommand of `dragboard-link` that `dragboard link` has, too.
///
/// The types declare the arguments and the help once for both programs. `dragboard-link` performs the
/// subcommand; `dragboard` runs `dragboard-link`.
public protocol LinkSubcommand: ParsableCommand {}

/// The completions of the arguments in a program.
public protocol LinkCompletions: SendableMetatype {
  /// The boards of the daemon.
  static var boards: CompletionKind { get }
  /// The other machines of the group.
  static var machines: CompletionKind { get }
}

/// No completions, for `dragboard-link`.
public enum NoCompletions: LinkCompletions {
  /// No completion.
  public static var boards: CompletionKind { .default }
  /// No completion.
  public static var machines: CompletionKind { .default }
}

/// The subcommand that makes a group with another machine over ssh.
public struct LinkWith<Completions: LinkCompletions>: LinkSubcommand {
  /// The name and the help.
  public static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "with", abstract: "Share a board with another machine that ssh reaches.",
      discussion: """
        Start a server on the other machine, which listens on 127.0.0.1 only; connect to it by ssh; make a group; and \
        share a board, by default the board "shared". If a machine already has a board of this name, the boards are merged. \
        The services of both machines start now and with every session. The other machine needs dragboard-link, \
        on PATH or in ~/.local/bin, and nats-server.

        Later, ssh cannot ask for a passphrase: the key must have none, or an agent must have the key.

        EXAMPLES:
          dragboard link with desktop
          dragboard link with anna@desktop --board errands --board recipes
        """)
  }

  /// The other machine.
  @Argument(help: "The other machine, as you name it for ssh.")
  public var host: String
  /// The boards.
  @Option(
    name: .customLong("board"),
    help: ArgumentHelp("Board to share; can be repeated (default: shared).", valueName: "name"),
    completion: Completions.boards)
  public var boards: [String] = []
  /// The name of this machine.
  @OptionGroup public var naming: LinkNaming

  /// Creates an instance for the parser.
  public init() {}
}

/// The subcommand that makes this machine the host of a group on the local network.
public struct LinkHost: LinkSubcommand {
  /// The name and the help.
  public static let configuration = CommandConfiguration(
    commandName: "host",
    abstract: "Run the server of a group, and invite a machine of the local network.",
    discussion: """
      Start a server that listens on the network, make a group if this machine is in none, and print a line for one \
      other machine. The server accepts only machines with a key of the group; the line contains a new key and the \
      server's certificate. Send the line as you would send a password. Avahi announces this machine, so the others \
      find it after its address has changed. This needs nats-server and avahi-daemon.

      EXAMPLES:
        dragboard link host             prints a line
        dragboard link join             on the other machine; paste the line
        dragboard link share errands
        dragboard link host --off       does not listen on the network any more
      """)

  /// The name of this machine on the network.
  @Option(
    help: ArgumentHelp(
      "Name or address of this machine on the network (default: its name in Avahi).",
      valueName: "name"))
  public var address: String?
  /// Whether the server stops listening on the network.
  @Flag(help: "Listen on 127.0.0.1 only, for machines that use ssh.")
  public var off = false
  /// The name of this machine.
  @OptionGroup public var naming: LinkNaming

  /// Creates an instance for the parser.
  public init() {}
}

/// The subcommand that makes this machine the host of its group.
public struct LinkMoveHost: LinkSubcommand {
  /// The name and the help.
  public static let configuration = CommandConfiguration(
    commandName: "move-host",
    abstract: "Make this machine the host of its group, instead of another machine.",
    discussion: """
      Type this on the machine that becomes the host. It starts a server that listens on the network, and moves the logs \
      of the shared boards to it. The other machines follow by themselves, also those that are off now, as long as the \
      earlier host tells them. No edit is lost.

      If the earlier host is gone for good, add --lost, on the machine with the latest rows. It restores the logs from its \
      own copies, and prints a line for the other machines.

      EXAMPLES:
        dragboard link move-host laptop           on laptop
        dragboard link move-host laptop --lost    if the earlier host is gone
        dragboard link join                       on the others; paste the line
      """)

  /// The name of this machine.
  @Argument(help: "Name of this machine in the group, which becomes the host.")
  public var machine: String
  /// The name of this machine on the network.
  @Option(
    help: ArgumentHelp(
      "Name or address of this machine on the network (default: its name in Avahi).",
      valueName: "name"))
  public var address: String?
  /// Whether the earlier host is gone for good.
  @Flag(help: "The earlier host is gone for good.")
  public var lost = false

  /// Creates an instance for the parser.
  public init() {}
}

/// The subcommand that creates a group.
public struct LinkSetup: LinkSubcommand {
  /// The name and the help.
  public static let configuration = CommandConfiguration(
    commandName: "setup", abstract: "Create a group and add this machine to it.",
    discussion: """
      The server is nats-server 2.9 or later with JetStream (nats-server -js). Use tls:// for a server on another \
      machine. With nats:// an observer on the network sees the password and the times of edits, but no edits.
      """)

  /// The server.
  @OptionGroup public var server: LinkServerOptions
  /// The name of this machine.
  @OptionGroup public var naming: LinkNaming

  /// Creates an instance for the parser.
  public init() {}
}

/// The subcommand that invites a machine.
public struct LinkInvite: LinkSubcommand {
  /// The name and the help.
  public static let configuration = CommandConfiguration(
    commandName: "invite", abstract: "Print the line with which another machine joins the group.",
    discussion: """
      The line contains the keys of the group. Send it as you would send a password. After 'remove' or 'leave', the \
      group has a new key: print a new line.

      If a machine of the group runs the server, the line is valid for one machine, and for a day if none uses it. \
      --withdraw makes the server refuse the lines that no machine has used.

      EXAMPLES:
        dragboard link invite                prints a line
        dragboard link invite --withdraw     if the line was sent to the wrong person
      """)

  /// Whether to withdraw lines.
  @Flag(help: "Withdraw the lines that no machine has used.")
  public var withdraw = false

  /// Creates an instance for the parser.
  public init() {}
}

/// The subcommand that joins a group.
public struct LinkJoin: LinkSubcommand {
  /// The name and the help.
  public static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Join a group with the line that 'invite' printed.",
    discussion: """
      With the line of 'move-host --lost', a machine of the group continues with the new host.

      EXAMPLES:
        dragboard link join                       paste the line
        dragboard link join < file
        ssh desktop dragboard link invite | dragboard link join
      """)

  /// The invitation.
  @Argument(
    help: "The line, or - to read it from standard input, where other users cannot see it.")
  public var line: String = "-"
  /// The name of this machine.
  @OptionGroup public var naming: LinkNaming

  /// Creates an instance for the parser.
  public init() {}
}

/// The subcommand that shares a board.
public struct LinkShare<Completions: LinkCompletions>: LinkSubcommand {
  /// The name and the help.
  public static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "share", abstract: "Share a board with all machines of the group.",
      discussion: """
        A machine without a board of this name gets one. If another machine already has a board of this name, its board \
        is shared only after 'dragboard link accept' on that machine. Then the boards are merged. The boards 'default' \
        and 'clipboard' always need this.
        """)
  }

  /// The name of the board.
  @Argument(help: "Name of the board.", completion: Completions.boards)
  public var board: String

  /// Creates an instance for the parser.
  public init() {}
}

/// The subcommand that accepts a shared board.
public struct LinkAccept<Completions: LinkCompletions>: LinkSubcommand {
  /// The name and the help.
  public static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "accept",
      abstract: "Share this machine's board with the machines that already share it.",
      discussion: """
        Another machine has shared a board, and this machine has a board of the same name. The boards are merged: all \
        rows of this machine's board are sent to the other machines. Equal rows are merged into one.

        EXAMPLES:
          dragboard link status
          dragboard link accept work
        """)
  }

  /// The name of the board.
  @Argument(help: "Name of the board.", completion: Completions.boards)
  public var board: String

  /// Creates an instance for the parser.
  public init() {}
}

/// The subcommand that ends the sharing of a board.
public struct LinkUnshare<Completions: LinkCompletions>: LinkSubcommand {
  /// The name and the help.
  public static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "unshare",
      abstract: "End the sharing of a board; every machine retains its copy.")
  }

  /// The name of the board.
  @Argument(help: "Name of the board.", completion: Completions.boards)
  public var board: String

  /// Creates an instance for the parser.
  public init() {}
}

/// The subcommand that reports the state of the link.
public struct LinkStatus: LinkSubcommand {
  /// The name and the help.
  public static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Print the server, the machines and the shared boards.",
    discussion: """
      EXAMPLES:
        dragboard link status --json | jq '.boards[] | select(.pending > 0).name'
      """)

  /// Whether to print JSON.
  @Flag(help: "Print JSON, one object per line.")
  public var json = false

  /// Creates an instance for the parser.
  public init() {}
}

/// The subcommands for the server.
public struct LinkServer: ParsableCommand {
  /// The name and the help.
  public static let configuration = CommandConfiguration(
    commandName: "server",
    abstract: "Change the server's address or password on this machine, or remove data from it.",
    subcommands: [LinkServerSet.self, LinkServerClean.self], defaultSubcommand: LinkServerSet.self)

  /// Creates an instance for the parser.
  public init() {}
}

/// The subcommand that removes data from the server.
public struct LinkServerClean: LinkSubcommand {
  /// The name and the help.
  public static let configuration = CommandConfiguration(
    commandName: "clean",
    abstract: "Remove the data of boards that are no longer shared, and list other data.",
    discussion: """
      The last machine that leaves a group removes all data of the group, and a board that is no longer shared is removed \
      by the running links. This command removes the data that remain after a failure. It lists the streams of other \
      groups, which may be in use, and removes those that --remove names.

      EXAMPLES:
        dragboard link server clean
      """)

  /// The other streams to remove.
  @Option(
    help: ArgumentHelp("Another stream to remove, which no group uses.", valueName: "stream"))
  public var remove: [String] = []

  /// Creates an instance for the parser.
  public init() {}
}

/// The subcommand that changes the server's address.
public struct LinkServerSet: LinkSubcommand {
  /// The name and the help.
  public static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change the server's address or password on this machine.",
    discussion: """
      The server must already have the data of the group. The new settings take effect when the link starts again.

      EXAMPLES:
        dragboard link server tls://server:4222 --user board --password-file password
        systemctl --user restart dragboard-link
      """)

  /// The server.
  @OptionGroup public var server: LinkServerOptions

  /// Creates an instance for the parser.
  public init() {}
}

/// The subcommand that removes a machine.
public struct LinkRemove<Completions: LinkCompletions>: LinkSubcommand {
  /// The name and the help.
  public static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "remove", abstract: "Remove another machine and change the key of the group.",
      discussion: """
        The removed machine retains its copies of the boards, and cannot read later edits. Change the password of the \
        server, too, and then run 'dragboard link server' on each machine: with the old password, the removed machine \
        could still disturb the others.
        """)
  }

  /// The name of the machine.
  @Argument(help: "Name of the machine.", completion: Completions.machines)
  public var machine: String

  /// Creates an instance for the parser.
  public init() {}
}

/// The subcommand that leaves the group.
public struct LinkLeave: LinkSubcommand {
  /// The name and the help.
  public static let configuration = CommandConfiguration(
    commandName: "leave",
    abstract: "Leave the group; this machine retains its copies of the boards.")

  /// Whether to remove only the keys.
  @Flag(help: "Remove only the keys from this machine; do not connect to the server.")
  public var offline = false

  /// Creates an instance for the parser.
  public init() {}
}

/// The address of a server, and the options for its certificate and password.
public struct LinkServerOptions: ParsableArguments {
  /// The address of the server.
  @Argument(help: "Address of the server: nats://HOST:PORT or tls://HOST:PORT.")
  public var url: String
  /// The file of the certificates.
  @Option(
    help: ArgumentHelp(
      "Certificates of the authority that signed the server's certificate.", valueName: "file"),
    completion: .file())
  public var ca: String?
  /// The name of the user.
  @Option(help: "User name for the server.")
  public var user: String?
  /// The file of the password.
  @Option(
    help: ArgumentHelp(
      "File with the password, or with the token if there is no user.", valueName: "file"),
    completion: .file())
  public var passwordFile: String?

  /// Creates an instance for the parser.
  public init() {}
}

/// The option for the name of a machine.
public struct LinkNaming: ParsableArguments {
  /// The name; nil for the host name.
  @Option(help: "Name of this machine in the group (default: the host name).")
  public var name: String?

  /// Creates an instance for the parser.
  public init() {}
}

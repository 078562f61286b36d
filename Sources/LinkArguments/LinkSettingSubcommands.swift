public import ArgumentParser

/// A setting of this machine that is on or off.
public enum LinkSetting: String, CaseIterable, ExpressibleByArgument {
  /// It is on.
  case on
  /// It is off.
  case off
}

/// The subcommand that sets whether the files to which rows refer cross machines.
public struct LinkFiles<Completions: LinkCompletions>: LinkSubcommand {
  /// The name and the help.
  public static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "files",
      abstract: "Set whether files that you drop on a shared board cross; the default is off.",
      discussion: """
        A file manager drags the address of a file. If you drop it on a board for which this setting is on, the \
        bytes of the file cross. Otherwise the other machines get a row such as 'report.pdf on laptop'. Only regular \
        files of at most 64 MiB cross, and only at the drop. The setting is valid for this machine; there is none for \
        the board 'clipboard'.

        EXAMPLES:
          dragboard link files errands on
        """)
  }

  /// The name of the board.
  @Argument(help: "Name of the board.", completion: Completions.boards)
  public var board: String
  /// The new setting.
  @Argument(help: "The new setting.")
  public var setting: LinkSetting

  /// Creates an instance for the parser.
  public init() {}
}

/// The subcommand that sets whether drags cross machines.
public struct LinkDrags: LinkSubcommand {
  /// The name and the help.
  public static let configuration = CommandConfiguration(
    commandName: "drags", abstract: "Set whether drags cross machines; the default is on.",
    discussion: """
      A drag that begins on one machine of the group can be dropped on another machine. The bytes cross at the drop. A \
      change takes effect within seconds; drags that have begun before 'on' stay on their machine.

      The shelf drags the address of a file that you have dropped on it, which is of no use on another machine. With \
      'files', every machine of the group can take the bytes of such a file while you drag it.

      EXAMPLES:
        dragboard link drags off
        dragboard link drags files
      """)

  /// The values of the setting.
  public enum Setting: String, CaseIterable, ExpressibleByArgument {
    /// Drags cross, but not the bytes of files to which they refer.
    case on
    /// No drag crosses.
    case off
    /// Drags cross, and the bytes of files that the user drags from the shelf.
    case files
  }

  /// The new setting.
  @Argument(help: "The new setting.")
  public var setting: Setting

  /// Creates an instance for the parser.
  public init() {}
}

/// The subcommand that pauses the exchange.
public struct LinkPause: LinkSubcommand {
  /// The name and the help.
  public static let configuration = CommandConfiguration(
    commandName: "pause",
    abstract: "Stop the exchange of edits and drags of this machine until 'resume'.",
    discussion: """
      You go on editing, and your edits wait. If this machine runs the server, the server runs on for the other machines.
      """)

  /// Creates an instance for the parser.
  public init() {}
}

/// The subcommand that continues the exchange.
public struct LinkResume: LinkSubcommand {
  /// The name and the help.
  public static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Start the exchange of edits and drags, now and with every session.")

  /// Creates an instance for the parser.
  public init() {}
}

/// The status and the output of a finished command.
public struct CommandResult: Sendable {
  /// How the command ended.
  public let status: ProcessStatus
  /// All of its standard output.
  public let output: String
  /// All of its standard error.
  public let errors: String
}

/// Runs a command, and waits until it has ended.
///
/// - Parameters:
///   - command: a path, or a name that is looked for on PATH.
///   - arguments: the arguments after the command's name.
///   - environment: the complete environment; nil means the environment of the test.
/// - Returns: the status and the output of the command.
/// - Throws: the error if the command cannot be started.
public func run(
  _ command: String, _ arguments: [String], environment: [String: String]? = nil
) throws -> CommandResult {
  let process = try ChildProcess(command, arguments, environment: environment)
  let output = process.text(of: .output)
  let errors = process.text(of: .errors)
  return CommandResult(status: process.waitForExit(), output: output, errors: errors)
}

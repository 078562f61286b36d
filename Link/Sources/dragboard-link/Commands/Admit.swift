import ArgumentParser
import DragboardClient
import Files
import Glibc
import LinkArguments
import LinkEngine
import LinkState
import Text

/// The other side of `with`, which ssh starts.
///
/// It prints an invitation, and then carries out a command for each line of input: `accept BOARD`
/// accepts a board. It prints `ok`, or the error in one line.
struct Admit: ParsableCommand, PerformedSubcommand {
  static let configuration = CommandConfiguration(
    abstract: "Admit the machine that has started this program by ssh.", shouldDisplay: false)

  func perform() async throws {
    Self.findSession()
    let store = ConfigurationStore.ofUser
    let output = FileDescriptor.standardOutput
    output.print(try await invitation(in: store) + "\n")
    while let line = readLine() {
      guard let command = line.firstMatch(of: /accept (.+)/) else { continue }
      do {
        try await LinkAccept<NoCompletions>.accept(String(command.1), in: store)
        output.print("ok\n")
      } catch {
        output.print("\((error as? DragboardError)?.message ?? "\(error)")".harmlessLine() + "\n")
      }
    }
  }

  private func invitation(in store: ConfigurationStore) async throws -> String {
    if let configuration = try store.load(), configuration.server.host == nil {
      // An administrator runs the server of this group.
      return try await store.openGroup().invitation().line
    }
    let (group, _) = try await Hosting.group(in: store, named: LinkNaming.parse([]))
    return try await Hosting.invitation(to: group, at: "127.0.0.1", in: store).line
  }

  /// Sets the directory of the session, which ssh does not set on every system.
  private static func findSession() {
    let directory = "/run/user/\(getuid())"
    var status = stat()
    guard Environment["XDG_RUNTIME_DIR"] == nil, stat(directory, &status) == 0,
      status.st_uid == getuid()
    else { return }
    setenv("XDG_RUNTIME_DIR", directory, 1)
  }
}

import ArgumentParser
import DragboardClient

/// Which bus is meant.
struct ConnectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The bus to use (the session bus).", valueName: "address"))
  var address: String?

  /// The error, with the option that leads to no bus.
  func naming(_ error: DragboardError) -> DragboardError {
    guard let address, error.reason == .noBus else { return error }
    return DragboardError(error.reason, "--address \(address): \(error.message)")
  }
}

/// Which board is meant.
struct BoardOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, help: ArgumentHelp("The board to use.", valueName: "name"),
    completion: .boards)
  var board = DragboardConnection.defaultBoard

  /// The board itself.
  func find(on dragboard: isolated DragboardConnection) async throws(DragboardError) -> Board {
    try await dragboard.board(named: board)
  }
}

/// How results are told.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print JSON, one object to a line.")
  var json = false
}

/// Who drags, drops and views.
struct IdentityOptions: ParsableArguments {
  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "The application to act as (this command alone).", valueName: "application"))
  var application: String?

  /// The identity itself.
  var identity: Application { application.map { Application($0) } ?? .thisConnection }
}

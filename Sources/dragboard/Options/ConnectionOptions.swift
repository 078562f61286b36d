import ArgumentParser
import DragboardClient

/// The bus.
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

/// The board.
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

/// The format of results.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print JSON, one object to a line.")
  var json = false

  /// Prints the id of a row.
  func print(_ item: ItemID) throws(Failure) {
    let object: JSON = ["id": JSON(text: item)]
    try Console.writeLine(json ? object.description : "\(item)")
  }
}

/// The application that drags or drops.
struct IdentityOptions: ParsableArguments {
  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "The application to act as (this command alone).", valueName: "application"))
  var application: String?

  /// The identity itself.
  var identity: Application { application.map { Application($0) } ?? .thisConnection }
}

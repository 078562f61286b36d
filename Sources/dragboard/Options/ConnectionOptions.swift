import ArgumentParser
import DragboardClient
import Files

struct ConnectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The bus to use (default: the session bus).", valueName: "address"))
  var address: String?

  func validate() { if let address { SuggestedCall.repeatOption("--address", address) } }

  /// Returns the error.
  ///
  /// If `--address` is the address of no bus, the message names the option.
  func naming(_ error: DragboardError) -> DragboardError {
    guard let address, error.reason == .noBus else { return error }
    return DragboardError(error.reason, "--address \(address): \(error.message)")
  }
}

struct BoardOptions: ParsableArguments {
  @Option(
    name: [.customLong("board"), .customShort("b")],
    help: ArgumentHelp(
      "The board to use (default: $DRAGBOARD_BOARD, or 'default').", valueName: "name"),
    completion: .boards)
  var name: String?

  /// The name of the board.
  var board: String { name ?? Self.standard }

  /// The name of the board without `--board`.
  static var standard: String {
    Environment["DRAGBOARD_BOARD"] ?? DragboardConnection.defaultBoard
  }

  func validate() {
    // In a shell without the variable, the call refers to the same board.
    guard board != DragboardConnection.defaultBoard || board != Self.standard else { return }
    SuggestedCall.repeatOption("--board", board)
  }

  /// Returns the board.
  ///
  /// If there is no such board, the message suggests a similar name.
  func find(on dragboard: isolated DragboardConnection) async throws(DragboardError) -> Board {
    do throws(DragboardError) { return try await dragboard.board(named: board) } catch {
      guard error.reason == .noSuchBoard, let boards = try? await dragboard.boards(),
        let guess = Spelling.closest(to: board, among: boards.map(\.info.name))
      else { throw error }
      throw DragboardError(error.reason, "\(error.message); did you mean '\(guess)'?")
    }
  }
}

extension BoardOptions {
  /// Returns the board of the rows.
  ///
  /// Without `--board`, it searches all boards for the first row if this row is an id. So an id
  /// that `pick` prints needs no `--board`.
  func find(
    on dragboard: isolated DragboardConnection, having rows: [RowName]
  ) async throws(DragboardError) -> Board {
    let board = try await find(on: dragboard)
    guard name == nil || name == DragboardConnection.defaultBoard,
      case .id(let item)? = rows.first?.meaning, try await !board.has(item)
    else { return board }
    for (other, _) in try await dragboard.boards() where try await other.has(item) {
      return other
    }
    return board
  }
}

extension Board {
  /// Returns whether a row is on the board.
  fileprivate func has(_ item: ItemID) async throws(DragboardError) -> Bool {
    do throws(DragboardError) {
      _ = try await position(of: item)
      return true
    } catch {
      guard error.reason == .noSuchItem || error.reason == .noSuchBoard else { throw error }
      return false
    }
  }
}

struct OutputOptions: ParsableArguments {
  @Flag(help: "Print JSON, one object per line.")
  var json = false

  func print(_ item: ItemID) throws(Failure) {
    let object: JSON = ["id": JSON(text: item)]
    try Console.writeLine(json ? object.description : "\(item)")
  }
}

struct ListingOptions: ParsableArguments {
  @Flag(help: "Print JSON, one object per line.")
  var json = false
  @Flag(help: "Print a table, even in a pipe.")
  var table = false

  func validate() throws {
    guard !json || !table else { throw ValidationError("--json: cannot be used with --table") }
  }
}

/// The option that names the application that drags or drops.
struct IdentityOptions: ParsableArguments {
  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "The application to act as (default: only this command).", valueName: "application"))
  var application: String?

  var identity: Application { application.map { Application($0) } ?? .thisConnection }
}

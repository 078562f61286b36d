// Accepts the latest drag and writes its data to standard output.
//
//   accept TYPE              accept 'image/*' > picture
//
// TYPE is a type or a pattern. Writes the first matching representation of each item, which is the
// best one.

import DragboardClient
// stdout and stderr are variables in C.
@preconcurrency import Glibc

@main
enum Program {
  static func main() async {
    guard CommandLine.arguments.count == 2 else { fail("usage: accept TYPE") }
    let wanted = ContentType(CommandLine.arguments[1])
    do throws(DragboardError) {
      let dragboard = try await DragboardConnection.connect()
      guard let session = try await dragboard.latestSession() else {
        fail("nothing is being dragged")
      }
      guard try await session.canLoad(wanted) else {
        fail("no dragged item has that type")
      }
      // This is the drop: afterwards no other client can accept the drag. The receiver is this
      // connection.
      let drop = try await session.accept(.copy)
      if drop.granted == .forbidden { fail("the drag is for another application") }

      let count = try await session.info().itemCount
      var taken = 0
      for item in 0..<count where try await take(item, of: drop, as: wanted) { taken += 1 }
      // Ends the drag as a copy. A program that exits without this call cancels the drag.
      if taken > 0 { try await drop.finish() }
      exit(taken < count ? 1 : 0)
    } catch {
      fail("\(error)")
    }
  }

  /// Returns whether the item exists.
  static func take(
    _ item: Int, of drop: AcceptedDrop, as wanted: ContentType
  ) async throws(DragboardError) -> Bool {
    for type in try await drop.session.types(ofItem: item) { tell("item \(item): \(type)") }
    do {
      // Loads into a file, because the data may be large; waits for a promise.
      try await drop.file(ofItem: item, as: wanted).read { piece in
        guard fwrite(piece.baseAddress, 1, piece.count, stdout) == piece.count else {
          throw DragboardError(.inputOutput, String(cString: strerror(errno)))
        }
      }
      return true
    } catch {
      tell("item \(item): \(error)")
      return false
    }
  }

  static func tell(_ line: String) { fputs("\(line)\n", stderr) }

  static func fail(_ problem: String) -> Never {
    tell("accept: \(problem)")
    exit(1)
  }
}

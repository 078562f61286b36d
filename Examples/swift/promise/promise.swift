// Drags a file whose bytes are read on request.
//
//   promise FILE TYPE        promise holiday.jpg image/jpeg
//
// Reports the outcome and exits when the drag has ended: with 0 if the file has arrived, otherwise
// with 1.

import DragboardClient
// stdout and stderr are variables in C.
@preconcurrency import Glibc
import Synchronization

@main
enum Program {
  /// Locked while the bytes are being read, so that the program does not exit meanwhile.
  static let making = Mutex(())

  static func main() async {
    let words = CommandLine.arguments.dropFirst()
    guard let file = words.first, let type = words.dropFirst().first, words.count == 2 else {
      fail("usage: promise FILE TYPE")
    }
    do throws(DragboardError) {
      let dragboard = try await DragboardConnection.connect()
      let name = file.split(separator: "/").last.map(String.init) ?? ""
      let content = DragItem.Content.promise(Promise { try make(file, for: $0) })
      let item = DragItem(suggestedName: name, [.init(ContentType(type), content)])
      // The source is this connection: the drag ends with the program.
      let drag = try await dragboard.beginDrag([item])
      say("dragging \(file) as /org/dragboard/Dragboard1/session/\(drag.session.id)")
      let outcome = try await drag.outcome { event in
        guard case .transferred(let loaded, let failed) = event else { return }
        // The indexes of items; this drag has one item.
        say(
          !loaded.isEmpty
            ? "it arrived" : failed.isEmpty ? "it was not asked for" : "it did not arrive")
      }
      say("the drag has ended: \(outcome.operation)")
      making.withLock { _ in exit(outcome.loaded.isEmpty ? 1 : 0) }
    } catch {
      fail("\(error)")
    }
  }

  /// Writes the promised data, on a separate thread.
  ///
  /// A real program would render, pack or fetch them here.
  static func make(_ file: String, for writer: PromiseWriter) throws {
    try making.withLock { _ in
      say("making \(file)")
      do {
        try copy(file) { try writer.write($0) }
        say("given")
      } catch let error as PromiseWriter.NotWanted {
        say("broken off: nobody wants it any more")
        throw error
      } catch {
        say("failed: \(error)")
        throw error
      }
    }
  }

  /// An error of the system, which the receiver gets, too.
  struct Failure: Error, CustomStringConvertible {
    let description = String(cString: strerror(errno))
  }

  static func copy(_ file: String, to write: (UnsafeRawBufferPointer) throws -> Void) throws {
    guard let source = fopen(file, "r") else { throw Failure() }
    defer { fclose(source) }
    try withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
      while case let got = fread(buffer.baseAddress, 1, buffer.count, source), got > 0 {
        try write(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
      }
    }
    if ferror(source) != 0 { throw Failure() }
  }

  /// Prints a line without buffering.
  static func say(_ line: String) {
    print(line)
    fflush(stdout)
  }

  static func fail(_ problem: String) -> Never {
    fputs("promise: \(problem)\n", stderr)
    exit(1)
  }
}

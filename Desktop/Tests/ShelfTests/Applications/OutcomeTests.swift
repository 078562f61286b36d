import DragboardClient
import Foundation
import TestSupport
import Testing

extension ShelfTests {
  /// Records what comes out where: each kind of row is dragged into each application, and the results
  /// are written to `outcomes.txt` beside the pictures.
  ///
  /// `ApplicationTests` checks the results that the README promises. Here, each row must only stay on
  /// its board.
  @Suite("What comes out where", .enabled(if: Rounds.number != nil && !WaylandScreen.isUsed))
  struct OutcomeTests {
    /// A kind of row.
    enum Kind: String, CaseIterable {
      case text
      case page = "HTML with plain text"
      case markup = "HTML only"
      case picture
      case webPicture = "picture of a web page"
      case storedText = "stored text file"
      case storedFile = "stored file"
      case file = "address of a file"
      case link
    }

    @Test("Each kind of row is dragged into an application", arguments: Outcomes.applications)
    func outcomes(of application: String) async throws {
      let desk = try await Desk()
      try await desk.openShelf()
      let browser = application == "firefox" ? try Browser(with: .text, at: desk) : nil
      for kind in Kind.allCases {
        let guest = try browser ?? Outcomes.guest(application, at: desk)
        let place = try await guest.prepareDrop()
        let before = try guest.state()
        try await fill(desk, with: kind)
        // Some file managers ask the user for an operation if no key is held.
        let key = guest is FileManagerGuest ? "Control_L" : nil
        guard try await carries(desk, to: place, holding: key) else {
          try Outcomes.record("\(application) | \(kind.rawValue) | ends the drag")
          continue
        }
        try desk.screen.perform([.release])
        let asks = try await !isQuiet(desk)
        // Mousepad asks for an encoding before it ends the drop.
        if asks { try desk.run("xdotool", "key", "Escape") }
        try await desk.untilQuiet()
        if let key { try desk.screen.perform([.releaseKey(key)]) }
        let outcome =
          asks ? "asks a question" : try await outcome(in: guest, since: before, on: desk)
        try Outcomes.record("\(application) | \(kind.rawValue) | \(outcome)")
        #expect(try await desk.rows().count == 2, "\(application), \(kind.rawValue)")
      }
    }

    /// Drags the row to an application; returns whether the drag lasts there.
    ///
    /// PCManFM ends each drag with the target of the direct save protocol as soon as it enters its window, also
    /// that of another program of GTK 4.
    private func carries(
      _ desk: Desk, to place: Point, holding key: String?
    ) async throws -> Bool {
      do {
        try await desk.carry(row: 0, to: place, holding: key)
        return true
      } catch let failure as TestProgram.Failure {
        try desk.screen.perform([.release] + (key.map { [.releaseKey($0)] } ?? []))
        guard try await desk.connection.sessions().isEmpty else { throw failure }
        return false
      }
    }

    /// Returns whether the application ends a drop within some seconds.
    private func isQuiet(_ desk: Desk) async throws -> Bool {
      let end = ContinuousClock.now + .seconds(10)
      while try await !desk.connection.sessions().isEmpty {
        if ContinuousClock.now > end { return false }
        try await Task.sleep(for: .milliseconds(100))
      }
      return true
    }

    /// Replaces the rows of the board by a row of a kind and a row below it, which is clicked.
    ///
    /// A click on the row of the kind and the beginning of its drag could be a double click, which
    /// opens the preview.
    private func fill(_ desk: Desk, with kind: Kind) async throws {
      let below = Sample.row("below")
      func insert(_ parts: [Sample.Part]) async throws { _ = try await desk.fill([parts, below]) }
      switch kind {
      case .text: try await insert(Sample.text.parts(in: desk.folder))
      case .page: try await insert(Sample.html.parts(in: desk.folder))
      case .markup: try await insert(Array(Sample.html.parts(in: desk.folder).prefix(1)))
      case .picture: try await insert(Sample.image.parts(in: desk.folder))
      case .webPicture: try await insert(Sample.webPicture(in: desk.folder))
      case .file: try await insert(Sample.file.parts(in: desk.folder))
      case .link:
        try await insert([
          Sample.Part(type: .uriList, bytes: Array("https://example.org/page\r\n".utf8)),
          Sample.Part(type: .plainText, bytes: Array("https://example.org/page".utf8)),
        ])
      case .storedText: try await store("Report.csv", Data("a,b".utf8), on: desk)
      case .storedFile: try await store("Sound.ogg", Data([0x4F, 0x67, 0, 0xFF]), on: desk)
      }
    }

    /// Stores a file as a row, and a row below it.
    private func store(_ name: String, _ bytes: Data, on desk: Desk) async throws {
      let path = "\(desk.folder)/\(name)"
      try bytes.write(to: URL(fileURLWithPath: path))
      let rows = try await desk.rows()
      if !rows.isEmpty { try await desk.board.delete(rows) }
      try desk.run("dragboard", "add", "--file", path)
      try desk.run("dragboard", "add", "below")
      try await desk.click(row: 1, of: desk.rows())
    }

    /// Waits for a change of an application, and describes it.
    private func outcome(
      in guest: any Guest & Observed, since before: String, on desk: Desk
    ) async throws -> String {
      let end = ContinuousClock.now + .seconds(6)
      while ContinuousClock.now < end {
        let state = try guest.state()
        if state != before { return Outcomes.words(for: state, in: desk.folder) }
        try await Task.sleep(for: .milliseconds(100))
      }
      return "nothing"
    }
  }
}

/// An application whose state a test can read.
protocol Observed {
  /// Returns the state that a drop changes.
  func state() throws -> String
}

extension FileManagerGuest: Observed {
  func state() throws -> String {
    try files().map { file in
      let bytes = Array(try Data(contentsOf: file))
      return "\(file.lastPathComponent): \(Outcomes.name(of: bytes, in: desk.folder))"
    }
    .sorted().joined(separator: ", ")
  }
}

extension Editor: Observed {
  func state() throws -> String {
    try desk.screen.press(["ctrl+s"], in: window)
    let title = try desk.screen.title(of: window)
    guard title.contains("Letter") else { return "opens \(title)" }
    return try String(contentsOf: letter, encoding: .utf8).trimmingCharacters(in: .newlines)
  }
}

extension Browser: Observed {
  func state() throws -> String { try desk.screen.title(of: window) }
}

/// The results of drags, and the names of contents in them.
enum Outcomes {
  /// Starts an application.
  static func guest(_ name: String, at desk: Desk) throws -> any Guest & Observed {
    if let kind = FileManagerGuest.Kind(rawValue: name) {
      return try FileManagerGuest(kind, withFile: false, at: desk)
    }
    guard let kind = Editor.Kind(rawValue: name) else {
      throw TestProgram.Failure(description: "\(name) is not an application")
    }
    return try Editor(kind, at: desk)
  }

  /// Appends a line to the file of the outcomes.
  static func record(_ line: String) throws {
    print(line)
    let variables = ProcessInfo.processInfo.environment
    guard let folder = variables["DRAGBOARD_TEST_PICTURES"] else { return }
    let path = "\(folder)/outcomes.txt"
    let old = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    try (old + line + "\n").write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// Returns the name of a content of the samples.
  static func name(of bytes: [UInt8], in folder: String) -> String {
    func has(_ parts: [Sample.Part]?, _ type: ContentType) -> Bool {
      parts?.contains { $0.type == type && $0.bytes == bytes } ?? false
    }
    let page = try? Sample.html.parts(in: folder)
    if bytes.isEmpty { return "empty" }
    if bytes == [0x4F, 0x67, 0, 0xFF] { return "bytes" }
    if has(try? Sample.text.parts(in: folder), .plainText) { return "text" }
    if has(page, .plainText) { return "plain text" }
    if has(page, "text/html") { return "HTML" }
    if has(try? Sample.image.parts(in: folder), "image/png") { return "picture" }
    if has(try? Sample.webPicture(in: folder), "image/jpeg") { return "picture" }
    return words(for: String(decoding: bytes, as: UTF8.self), in: folder)
  }

  /// Returns a text without paths that differ from run to run.
  static func words(for text: String, in folder: String) -> String {
    text.replacing(folder, with: "HOME")
      .replacing(/[0-9a-f]{8}-[0-9a-f-]{27}/, with: "ROW")
      .replacing("\n", with: "⏎")
  }

  /// The applications.
  static let applications =
    FileManagerGuest.Kind.allCases.map(\.rawValue) + Editor.Kind.allCases.map(\.rawValue)
    + ["firefox"]
}

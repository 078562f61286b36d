import DragboardClient
import Foundation
import TestSupport
import Testing

/// Owners of the clipboard that violate the protocol.
@Suite(.serialized) struct HostileOwnerTests {
  /// The maximum growth of the bridge's memory in KiB that is not a leak: buffers and caches of
  /// libraries.
  private static let maxGrowth = 8 << 10

  @Test("The deadline of a type is kept", arguments: Display.all)
  func theDeadlineOfATypeIsKept(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    for source in ["@hang", "@trickle"] {
      let before = desk.log.count { $0 == "\n" }
      let owner = try desk.own(
        try desk.type("text/html", "x"), OfferedType(name: "image/png", source: source))
      while let line = owner.nextLine(), line != "asked image/png" {}
      let start = ContinuousClock.now
      try await desk.until { desk.log.count { $0 == "\n" } > before }
      #expect((.seconds(9) ..< .seconds(20)).contains(.now - start))
      #expect(desk.log.hasSuffix("its owner did not deliver it in time\n"))
      owner.kill()
    }
    #expect(try await desk.rows().isEmpty)
  }

  /// On a busy machine, a large type takes longer than the deadline.
  @Test("The deadline of a type is renewed while its bytes arrive")
  func theDeadlineOfATypeIsRenewedWhileItsBytesArrive() async throws {
    let desk = try await ClipboardDesk(.x11)
    let start = ContinuousClock.now
    let owner = try desk.own(OfferedType(name: "image/png", source: "@slow"))
    #expect(try await desk.untilRows(1)[0].byteCount == 6_000_000)
    #expect(.now - start > .seconds(10))
    owner.kill()
  }

  /// The end of the owner ends the pipe, as does the end of a type.
  ///
  /// The part that has arrived fits into one pipe.
  @Test("A type whose owner ends before it is not stored", arguments: Display.all)
  func aTypeWhoseOwnerEndsBeforeItIsNotStored(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    for source in ["@hang", "@half"] {
      // The type is not a picture, because Mutter itself also reads pictures.
      let name = "application/x-slow"
      let owner = try desk.own(
        try desk.type("text/html", "x"), OfferedType(name: name, source: source))
      while let line = owner.nextLine(), line != "asked \(name)" {}
      owner.kill()
      // If the bridge had stored the copy, it would offer it now.
      try await desk.until { (try? desk.offeredNames()) ?? [] == [] }
    }
    let owner = try desk.own(try desk.type("text/html", "after"))
    #expect(try await desk.untilRows(1)[0].types == [.html])
    owner.kill()
  }

  /// A replaced owner has not exited, so its copy is complete.
  @Test("A copy that is replaced after its read is stored", arguments: Display.all)
  func aCopyThatIsReplacedAfterItsReadIsStored(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    // A copy that is replaced during its read is not stored, so the copies are repeated.
    try await desk.until {
      let owner = try desk.own(try desk.type("text/html", byteCount: 50_000))
      while let line = owner.nextLine(), line != "asked text/html" {}
      let next = try desk.own(try desk.type("text/css", "next"))
      defer { next.kill() }
      return try await desk.rows().contains { $0.byteCount == 50_000 }
    }
  }

  @Test("Owners that hang or never end do not enlarge the bridge", arguments: Display.all)
  func ownersThatHangOrNeverEndDoNotEnlargeTheBridge(_ display: Display) async throws {
    let desk = try await ClipboardDesk(display)
    let sources = ["@hang", "@endless", "@trickle"]
    func useAll(_ rounds: Int) async throws {
      for round in 0..<rounds {
        for source in sources {
          let owner = try desk.own(OfferedType(name: "image/png", source: source))
          while let line = owner.nextLine(), line != "asked image/png" {}
          try desk.own(try desk.type("text/html", "\(round) \(source)")).kill()
          owner.kill()
        }
      }
      let owner = try desk.own(try desk.type("text/html", "the end of \(rounds)"))
      try await desk.until {
        guard let row = try await desk.rows().first else { return false }
        return try await desk.board().data(of: row.id) == Array("the end of \(rounds)".utf8)
      }
      owner.kill()
    }
    try await useAll(2)
    let before = try desk.bridgeMemory()
    try await useAll(20)
    #expect(try desk.bridgeMemory() - before < Self.maxGrowth)
  }

  @Test(
    "A wrong answer of an X program is not stored",
    arguments: [
      ["TARGETS=@hang", "text/html=FILE"], ["TARGETS=@odd", "text/html=FILE"],
      ["TARGETS=@many", "text/html=FILE"], ["TARGETS=@elsewhere"], ["TARGETS=@endless"],
      ["text/html=@elsewhere"],
    ])
  func aWrongAnswerOfAnXProgramIsNotStored(_ types: [String]) async throws {
    let desk = try await ClipboardDesk(.x11)
    let path = try desk.file(Array("x".utf8))
    let arguments = types.joined(separator: " ").replacingOccurrences(of: "FILE", with: path)
    let wrong = try desk.start("exec clipboard-peer \(arguments)")
    #expect(wrong.nextLineWithoutRequests() == "owner")
    let owner = try desk.own(try desk.type("text/html", "right"))
    let row = try await desk.untilRows(1)[0]
    #expect(try await desk.board().data(of: row.id) == Array("right".utf8))
    wrong.kill()
    owner.kill()
  }

  @Test("Bytes of a wrong type and a second answer do not spoil the others")
  func bytesOfAWrongTypeAndASecondAnswerDoNotSpoilTheOthers() async throws {
    let desk = try await ClipboardDesk(.x11)
    let owner = try desk.own(
      OfferedType(name: "application/x-odd", source: "@odd"), try desk.type("text/html", "right"),
      OfferedType(name: "application/x-twice", source: "@elsewhere"),
      try desk.type("text/css", "right"))
    let row = try await desk.untilRows(1)[0]
    #expect(row.types == ["application/x-odd", .html, "text/css"])
    #expect(try await desk.board().data(of: row.id, as: "text/css") == Array("right".utf8))
    owner.kill()
  }

  /// An owner that reports no types is also an owner.
  ///
  /// After its end, the bridge must not restore an earlier copy.
  @Test("The end of an owner without types restores no earlier copy")
  func theEndOfAnOwnerWithoutTypesRestoresNoEarlierCopy() async throws {
    let desk = try await ClipboardDesk(.x11)
    let first = try desk.own(try desk.type("text/html", "first"))
    try await desk.untilRows(1)
    let silent = try desk.own(
      OfferedType(name: "TARGETS", source: "@hang"), try desk.type("text/html", "second"))
    #expect(first.nextLineWithoutRequests() == "lost")
    let changes = try desk.countChanges()
    silent.kill()
    let last = try desk.own(try desk.type("text/html", "last"))
    try await desk.untilRows(2)
    last.kill()
    try await desk.until {
      try (try? desk.pastedHash("text/html")) == desk.shell("printf last | sha256sum")
    }
    // The last owner and the bridge each cause one change.
    #expect(changes.count() == 2)
  }

  /// The deadline of the previous owner must not end the read from the next owner.
  @Test("An owner that is slow when a deadline ends is read")
  func anOwnerThatIsSlowWhenADeadlineEndsIsRead() async throws {
    let desk = try await ClipboardDesk(.x11)
    let hanging = try desk.own(OfferedType(name: "image/png", source: "@hang"))
    while let line = hanging.nextLine(), line != "asked image/png" {}
    let slow = try desk.own(
      OfferedType(name: "TARGETS", source: "@late"), try desk.type("text/html", "slow"))
    #expect(try await desk.untilRows(1)[0].types == [.html])
    hanging.kill()
    slow.kill()
  }

  @Test("Endless claims leave few windows") func endlessClaimsLeaveFewWindows() async throws {
    let desk = try await ClipboardDesk(.x11)
    let before = try desk.bridgeMemory()
    let flood = try desk.start("exec clipboard-peer --reclaim 3000")
    #expect(flood.nextLine() == "done")
    let owner = try desk.own(try desk.type("text/html", "after"))
    try await desk.untilRows(1)
    let windows = try desk.shell("xwininfo -root -children | grep -c '^     0x'")
    #expect(try #require(Int(windows)) < 100)
    #expect(try desk.bridgeMemory() - before < Self.maxGrowth)
    owner.kill()
  }
}

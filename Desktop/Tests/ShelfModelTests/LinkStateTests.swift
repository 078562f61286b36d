import ShelfModel
import Testing

@Suite("The state of the link")
struct LinkStateTests {
  @Test("The machines, the boards and the exchange are read from the words of the command")
  func group() throws {
    let state = try #require(
      LinkState(
        """
        server   desktop, by ssh
        machine  laptop
        service  running
        key      1
        member   desktop
        member   laptop
        drags    on, 0 from here, 0 from other machines
        board    errands: 2 entries on the server, 2 read, 0 edits to send
        board    work: not shared on this machine (to share it: dragboard link accept NAME)

        """))
    #expect(state.machine == "laptop")
    #expect(state.machines == ["desktop", "laptop"])
    #expect(state.isRunning)
    #expect(state.error == nil)
    #expect(state.sharing(of: "errands") == .shared)
    #expect(state.sharing(of: "work") == .waiting)
    #expect(state.sharing(of: "other") == .none)
  }

  @Test("Only the unusual words about a board are shown")
  func notice() throws {
    func notice(_ words: String) throws -> String? {
      let text = "machine  laptop\nservice  running\nboard    errands: \(words)\n"
      return try #require(LinkState(text)).notice(about: "errands")
    }
    let usual = "2 entries on the server, 2 read"
    #expect(try notice("\(usual), 0 edits to send") == nil)
    #expect(
      try notice("\(usual), 3 edits to send, the disk is full, so edits wait")
        == "3 edits to send, the disk is full, so edits wait")
    #expect(
      try notice("not shared on this machine (to share it: dragboard link accept NAME)") == nil)
  }

  @Test("A host that cannot be reached is named, with the time and the edits that wait")
  func absence() throws {
    func absence(_ error: String) throws -> LinkState.Absence? {
      let text = "server   desktop, by ssh\nmachine  laptop\nservice  running\n         \(error)\n"
      return try #require(LinkState(text)).absence
    }
    #expect(
      try absence("desktop is not reachable since 14:02; 3 edits wait")
        == .init(host: "desktop", since: "14:02", pending: 3))
    #expect(
      try absence("desktop is not reachable since 9:00; 3 edits since 2026-11-28 14:02 wait; ssh")
        == .init(host: "desktop", since: "9:00", pending: 3, pendingSince: "2026-11-28 14:02"))
    #expect(
      try absence("desktop is not reachable; 1 edit waits; ssh desktop: Permission denied")
        == .init(host: "desktop", since: nil, pending: 1))
    #expect(try absence("server: it has no space") == nil)
  }

  @Test("Without a group, there is no state")
  func noGroup() {
    #expect(LinkState("Error: link: this machine is not in a group") == nil)
    #expect(LinkState("") == nil)
  }
}

import LinkModel
import Testing

@testable import LinkEngine

@Suite("The change of a host")
struct HostMoveTests {
  private func move(_ epoch: UInt64, to machine: MachineKey) -> HostMove {
    HostMove(
      epoch: epoch, machine: machine, url: "tls://laptop.local:4242",
      certificate: ServerCertificate(signedBy: .random()))
  }

  @Test("A group accepts only the next host, by an entry of the machine that becomes the host")
  func epochs() throws {
    var state = GroupState()
    func apply(_ event: GroupEvent, by author: MachineKey) throws {
      let entry = LogEntry(number: state.position + 1, batch: event.batch(by: author))
      _ = try state.apply(entry, epoch: 1)
    }
    let machines = [MachineKey(1, 1), MachineKey(2, 2)]
    for key in machines {
      let publicKey = [UInt8](repeating: 1, count: BoxKeys.size)
      try apply(
        .joined(Machine(key: key, name: "\(key)", publicKey: publicKey)), by: key)
    }
    let first = move(1, to: machines[0])
    try apply(.moved(first), by: machines[0])
    #expect(state.host == first)
    for (move, author) in [
      (move(1, to: machines[1]), machines[1]), (move(3, to: machines[1]), machines[1]),
      (move(2, to: machines[1]), machines[0]),
    ] {
      #expect(throws: LinkError.self) { try apply(.moved(move), by: author) }
    }
    #expect(state.host == first)
    let second = move(2, to: machines[1])
    try apply(.moved(second), by: machines[1])
    #expect(state.host == second)

    // A machine that is not in the group, and a removed machine with the earlier key.
    let third = move(3, to: MachineKey(3, 3))
    #expect(throws: LinkError.self) { try apply(.moved(third), by: MachineKey(3, 3)) }
    try apply(
      .removed(machines[0], epoch: 2, boxes: [machines[1]: []]), by: machines[1])
    let forged = move(3, to: machines[0])
    try apply(.moved(forged), by: machines[0])
    #expect(state.host == second && state.machines.count == 1)
  }

  @Test("A line about a host is for machines of the group only, and an altered one is refused")
  func notices() throws {
    var server = HostedServer(port: 4_242, networkName: "a.local", place: "here")
    let own = try LinkConfiguration(hosting: &server, machineName: "desktop")
    var other = HostedServer(port: 4_242, networkName: "a.local", place: "here")
    let stranger = try LinkConfiguration(hosting: &other, machineName: "desktop")
    let move = move(2, to: own.machine)
    let line = HostNotice(move, named: "laptop", for: own).line
    let read = try HostNotice(line: " \(line)\n", for: own)
    #expect(read.move == move && read.name == "laptop")
    #expect(throws: Invitation.Problem.otherGroup) { try HostNotice(line: line, for: stranger) }
    var altered = Array(line)
    altered[60] = altered[60] == "A" ? "B" : "A"
    #expect(throws: Invitation.Problem.self) { try HostNotice(line: String(altered), for: own) }
    #expect(!HostNotice.matches("dragboard-link-2.x"))
    // A removed machine still has the earlier key.
    own.keys.add(.random(epoch: 2))
    #expect(throws: Invitation.Problem.earlierKey) { try HostNotice(line: line, for: own) }
    let renewed = HostNotice(move, named: "laptop", for: own).line
    #expect(try HostNotice(line: renewed, for: own).move == move)
  }

  @Test("A machine never returns to an earlier host")
  func follow() throws {
    let folder = try TestFolder()
    let store = ConfigurationStore(
      directory: folder.path + "/config", stateDirectory: folder.path + "/state")
    var server = HostedServer(port: 4_242, networkName: "a.local", place: "here")
    let configuration = try LinkConfiguration(hosting: &server, machineName: "desktop")
    try store.save(configuration)
    try store.updateRoute { [server] in $0 = .hosted(server) }
    #expect(try store.loadServer() != nil)
    let (second, first) = (move(2, to: MachineKey(2, 2)), move(1, to: MachineKey(1, 1)))
    #expect(try store.follow(second, named: "laptop"))
    for move in [first, second] { #expect(try store.follow(move, named: "x") == false) }
    #expect(try store.follow(first, named: "x", isChosen: true) == false)
    let loaded = try #require(try store.load())
    #expect(loaded.hostEpoch == 2 && loaded.server.url == second.url)
    #expect(loaded.server.host?.machine == "laptop")
    #expect(loaded.server.host?.login == configuration.server.host?.login)
    // The earlier server remains, and tells the other machines.
    #expect(try store.loadServer() == nil)
    #expect(try store.loadRoute() != nil)
  }
}

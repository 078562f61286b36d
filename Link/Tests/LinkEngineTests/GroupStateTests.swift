import LinkModel
import Testing

@testable import LinkEngine

@Suite("The state of a group")
struct GroupStateTests {
  @Test("An entry that is sealed with a key from before a removal has no effect")
  func removedMachine() throws {
    var state = GroupState()
    func apply(_ event: GroupEvent, by author: MachineKey, epoch: UInt32) throws {
      let entry = LogEntry(number: state.position + 1, batch: event.batch(by: author))
      _ = try state.apply(entry, epoch: epoch)
    }
    let machines = [MachineKey(1, 1), MachineKey(2, 2), MachineKey(3, 3)]
    for (key, name) in zip(machines, ["a", "b", "c"]) {
      let publicKey = [UInt8](repeating: 1, count: BoxKeys.size)
      try apply(.joined(Machine(key: key, name: name, publicKey: publicKey)), by: key, epoch: 1)
    }
    let box = [UInt8](repeating: 0, count: 80)
    let boxes = [machines[0]: box, machines[1]: box]
    try apply(.removed(machines[2], epoch: 2, boxes: boxes), by: machines[0], epoch: 1)
    // The removed machine has the key of epoch 1, and pretends to be another machine.
    let forged = GroupEvent.removed(machines[1], epoch: 3, boxes: [machines[0]: box])
    try apply(forged, by: machines[0], epoch: 1)
    #expect(state.epoch == 2)
    #expect(state.machines.keys.contains(machines[1]))
    #expect(state.position == 5)
    try apply(forged, by: machines[0], epoch: 2)
    #expect(state.epoch == 3)
  }
}

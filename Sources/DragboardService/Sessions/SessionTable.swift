import DBus
import DragModel
import DragboardInterface

/// The interface of a drag session, which binds each member to the function that implements it.
struct SessionTable {
  typealias Table = InterfaceTable<SessionEntity, Command>

  let context: (Call) -> Command
  let commands: SessionCommands
  let registration: SessionRegistration
  let loading: SessionLoading

  func table() -> Table {
    var table = Table(DragSessionInterface.name, context: context)
    addMethods(to: &table)
    addProperties(to: &table)
    table.signal(DragSessionInterface.didUpdate)
    table.signal(DragSessionInterface.didExit)
    table.signal(DragSessionInterface.itemsAdded)
    table.signal(DragSessionInterface.itemChanged)
    table.signal(DragSessionInterface.willEnd)
    table.signal(DragSessionInterface.didTransferItems)
    table.signal(DragSessionInterface.didEnd)
    return table
  }

  private func addMethods(to table: inout Table) {
    table.method(DragSessionInterface.addText, commands.addText)
    table.method(DragSessionInterface.addItem, commands.addItem)
    table.method(DragSessionInterface.registerText, registration.registerText)
    table.deferredMethod(DragSessionInterface.registerData, registration.registerData)
    table.deferredMethod(DragSessionInterface.registerFile, registration.registerFile)
    table.method(DragSessionInterface.registerPromise, registration.registerPromise)
    table.method(DragSessionInterface.setExpectedSize, commands.setExpectedSize)
    table.method(DragSessionInterface.cancel, commands.cancel)
    table.method(DragSessionInterface.getTypes, commands.getTypes)
    table.method(DragSessionInterface.getSizes, commands.getSizes)
    table.method(DragSessionInterface.getPublicTypes, commands.getPublicTypes)
    table.method(DragSessionInterface.canLoad, commands.canLoad)
    table.method(DragSessionInterface.getSuggestedName, commands.getSuggestedName)
    table.method(
      DragSessionInterface.setAttributes, checking: ListCheck.attributes(ofArgument: 1),
      commands.setAttributes)
    table.method(DragSessionInterface.getAttributes, commands.getAttributes)
    table.method(DragSessionInterface.accept, loading.accept)
    table.deferredMethod(DragSessionInterface.loadText, loading.loadText)
    table.deferredMethod(DragSessionInterface.loadData, loading.loadData)
    table.deferredMethod(DragSessionInterface.loadFile, loading.loadFile)
    table.deferredMethod(DragSessionInterface.loadToPipe, loading.loadToPipe)
    table.method(DragSessionInterface.finish, loading.finish)
    table.method(
      DragSessionInterface.finishItems, checking: loading.checkFinishedItems, loading.finishItems)
  }

  private func addProperties(to table: inout Table) {
    table.property(DragSessionInterface.application) { $0.application }
    table.property(DragSessionInterface.state) { $0.session.state.name }
    table.property(DragSessionInterface.operation) { $0.operation }
    table.property(DragSessionInterface.itemCount) { UInt32($0.session.itemCount) }
    table.property(DragSessionInterface.sourceBoard) { $0.sourceBoard }
    table.property(DragSessionInterface.sourceRows) { $0.sourceRows }
    table.property(
      DragSessionInterface.allowsMove, get: { $0.session.allowsMove },
      set: commands.setAllowsMove)
    table.property(
      DragSessionInterface.restrictedToApplication, get: { $0.session.isRestrictedToApplication },
      set: commands.setRestricted)
    table.property(
      DragSessionInterface.machine, get: { $0.session.machine.text }, set: commands.setMachine)
    table.property(DragSessionInterface.progress) { $0.progress }
  }
}

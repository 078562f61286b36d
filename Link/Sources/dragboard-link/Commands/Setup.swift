import Files
import Glibc
import LinkArguments
import LinkEngine

extension LinkSetup: PerformedSubcommand {
  func perform() async throws {
    let machine = try LinkConfiguration(
      server: try server.address, machineName: naming.machineName)
    _ = try await ConfigurationStore.ofUser.enter(machine)
    FileDescriptor.standardOutput.print(
      "\(machine.machineName) is the first machine of the group.\n\(Run.remedy)\n")
  }
}

extension LinkNaming {
  var machineName: String {
    if let name { return name }
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "machine" }
    return buffer.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { String(cString: $0) } ?? "machine"
    }
  }
}

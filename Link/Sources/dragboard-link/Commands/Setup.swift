import ArgumentParser
import Files
import Glibc
import LinkEngine

struct Setup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Create a group and add this machine to it.")

  @OptionGroup var server: ServerOptions
  @OptionGroup var naming: Naming

  func run() async throws {
    let machine = try LinkConfiguration(
      server: try server.address, machineName: naming.machineName)
    _ = try await ConfigurationStore.ofUser.enter(machine)
    FileDescriptor.standardOutput.print(
      "\(machine.machineName) is the first machine of the group.\n\(Run.remedy)\n")
  }
}

/// The option for the name of a machine.
struct Naming: ParsableArguments {
  @Option(help: "Name of this machine in the group (default: the host name).")
  var name: String?

  var machineName: String {
    if let name { return name }
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "machine" }
    return buffer.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { String(cString: $0) } ?? "machine"
    }
  }
}

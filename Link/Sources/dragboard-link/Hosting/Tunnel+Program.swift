import Files
import Glibc
import LinkEngine

extension Tunnel {
  /// The program `ssh`, which ends if the connection is lost.
  var program: SupervisedProgram {
    let forwarding = "127.0.0.1:\(localPort):127.0.0.1:\(remotePort)"
    // A user unit has no terminal, so ssh must not ask. A connection that other programs share would
    // end with them.
    let options = [
      "BatchMode=yes", "ExitOnForwardFailure=yes", "ServerAliveInterval=5",
      "ServerAliveCountMax=2", "ConnectTimeout=10", "ControlPath=none", "ForwardAgent=no",
      "ForwardX11=no", "PermitLocalCommand=no", "RequestTTY=no",
    ]
    var program = SupervisedProgram(
      name: "ssh \(target)", path: SupervisedProgram.find("ssh") ?? "ssh",
      arguments: options.flatMap { ["-o", $0] } + ["-N", "-L", forwarding, "--", target])
    // The manager of the user may not know the agent that the terminal has.
    if let agent, Environment["SSH_AUTH_SOCK"] == nil, access(agent, F_OK) == 0 {
      program.variables["SSH_AUTH_SOCK"] = agent
    }
    return program
  }
}

import DBus
import DragboardClient
import Files
import Glibc

/// Starts the program, and runs the event loop until the display or the bus is gone.
func run() -> Never {
  let options: Options
  do throws(Options.Problem) {
    options = try Options(Array(CommandLine.arguments.dropFirst()))
  } catch { Exit.now(.usage, error.description) }
  if options.isHelp {
    print(Options.help, terminator: "")
    exit(0)
  }
  // A program that stops reading a paste must not end the bridge.
  signal(SIGPIPE, SIG_IGN)
  Task { @ClipboardActor in await Startup.run(options) }
  ClipboardActor.shared.loop.run()
  exit(0)
}

run()

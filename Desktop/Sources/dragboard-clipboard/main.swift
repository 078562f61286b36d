import ArgumentParser
import DBus
import DragboardClient
import Files
import Glibc

/// Starts the program, and runs the event loop until the display or the bus is gone.
func run() -> Never {
  let options: Options
  do { options = try Options.parse() } catch {
    guard Options.exitCode(for: error).isSuccess else {
      Exit.now(.usage, Options.message(for: error))
    }
    Options.exit(withError: error)
  }
  // A program that stops reading a paste must not end the bridge.
  signal(SIGPIPE, SIG_IGN)
  Task { @ClipboardActor in await Startup.run(options) }
  ClipboardActor.shared.loop.run()
  exit(0)
}

run()

import DBus
import DragboardInterface

/// A method call of Dragboard as a command line of dbus-send.
///
/// The compiler checks the arguments against the declaration of the method. A test checks the
/// declarations against the daemon.
struct DBusSendCall {
  /// The arguments of `dbus-send`.
  let arguments: [String]
  /// The call as a person would type it in a shell.
  ///
  /// Each line except the last needs a backslash at its end.
  let shown: [String]
  /// The method's name without its interface, for messages.
  let method: String

  init<each Input: BusValue & DBusSendArgument, Output>(
    _ method: MethodDeclaration<Arguments<repeat each Input>, Output>, of path: ObjectPath,
    _ inputs: repeat each Input
  ) {
    var words: [String] = []
    var shownWords: [String] = []
    for input in repeat each inputs {
      words.append(input.dbusSendType + input.dbusSendText)
      shownWords.append(input.dbusSendType + ShellWord.quoted(input.dbusSendText))
    }
    let options = ["--session", "--print-reply", "--dest=\(Dragboard.busName)"]
    let member = "\(method.interface).\(method.description.name)"
    arguments = options + [path.text, member] + words
    let lines = [["dbus-send"] + options, [path.text, member], shownWords]
    shown = lines.filter { !$0.isEmpty }.map { $0.joined(separator: " ") }
    self.method = method.description.name.text
  }
}

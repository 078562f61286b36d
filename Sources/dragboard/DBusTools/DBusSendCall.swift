import DBus
import DragboardInterface

/// A method call of Dragboard as a command line of dbus-send.
///
/// The compiler holds the arguments to the declaration of the method; introspection holds that to what the daemon serves.
struct DBusSendCall {
  /// What follows `dbus-send`.
  let arguments: [String]
  /// The same as a person would type it: one line for each that the shell is given, all but the last to be continued.
  let shown: [String]
  /// The method's name alone, for messages.
  let method: String

  /// A call of `method` of the object at `path`.
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

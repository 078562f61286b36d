import Journal
import Logging

/// The log of the shelf.
///
/// GTK writes its own messages.
let log = Logger(of: "dragboard-shelf")

internal import Journal
package import Logging

/// The log of the link.
package let linkLog = Logger(of: "dragboard-link")

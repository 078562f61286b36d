import Glibc

/// The environment variables of this process.
enum Environment {
  /// The value of a variable; nil if it is not set, or empty.
  static subscript(name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}

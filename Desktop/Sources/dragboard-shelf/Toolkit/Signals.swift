import CGtk4
import CShelf
import Glibc

/// The arguments of a signal.
///
/// The first argument is the sender.
struct SignalArguments {
  private let values: UnsafePointer<GValue>

  fileprivate init(_ values: UnsafePointer<GValue>) { self.values = values }

  /// An object, or nil.
  func object(_ index: Int) -> OpaquePointer? {
    g_value_get_object(values + index).map(OpaquePointer.init)
  }
  /// A text, or nil.
  func string(_ index: Int) -> String? {
    g_value_get_string(values + index).map { String(cString: $0) }
  }
  /// A double.
  func double(_ index: Int) -> Double { g_value_get_double(values + index) }
  /// A number.
  func int(_ index: Int) -> Int32 { g_value_get_int(values + index) }
  /// An unsigned number.
  func uint(_ index: Int) -> UInt32 { g_value_get_uint(values + index) }
  /// Flags.
  func flags(_ index: Int) -> UInt32 { g_value_get_flags(values + index) }
  /// Returns the text in a variant; nil if the variant contains another type.
  func text(ofVariant index: Int) -> String? {
    guard let variant = g_value_get_variant(values + index),
      let text = g_variant_get_string(variant, nil)
    else { return nil }
    return String(cString: text)
  }
  /// Returns the Boolean value in a variant; nil if the variant contains another type.
  func bool(ofVariant index: Int) -> Bool? {
    guard let variant = g_value_get_variant(values + index),
      strcmp(g_variant_get_type_string(variant), "b") == 0
    else { return nil }
    return g_variant_get_boolean(variant) != 0
  }
  /// Returns the unsigned number in a variant; nil if the variant contains another type.
  func number(ofVariant index: Int) -> UInt32? {
    guard let variant = g_value_get_variant(values + index),
      strcmp(g_variant_get_type_string(variant), "u") == 0
    else { return nil }
    return g_variant_get_uint32(variant)
  }
  /// Returns the text of a command line option; nil if the option was not given.
  func option(_ name: String, at index: Int) -> String? {
    let options = g_value_get_boxed(values + index)?.assumingMemoryBound(to: GVariantDict.self)
    guard let options, let value = g_variant_dict_lookup_value(options, name, nil)
    else { return nil }
    defer { g_variant_unref(value) }
    return g_variant_get_string(value, nil).map { String(cString: $0) }
  }
  /// Returns whether a command line option was given.
  func hasOption(_ name: String, at index: Int) -> Bool {
    let options = g_value_get_boxed(values + index)?.assumingMemoryBound(to: GVariantDict.self)
    return options.map { g_variant_dict_contains($0, name) != 0 } ?? false
  }
  /// A Boolean value.
  func bool(_ index: Int) -> Bool { g_value_get_boolean(values + index) != 0 }
}

/// The return value of a signal handler.
enum SignalAnswer {
  /// Whether it was handled.
  case handled(Bool)
  /// Flags of an enumeration.
  case flags(UInt32)
  /// The exit code of the program; -1 to continue.
  case status(Int32)
  /// An object with a reference for the caller; nil for none.
  case object(OpaquePointer?)

  fileprivate func store(in value: UnsafeMutablePointer<GValue>) {
    switch self {
    case .handled(let isHandled): g_value_set_boolean(value, isHandled ? 1 : 0)
    case .flags(let flags): g_value_set_flags(value, flags)
    case .status(let status): g_value_set_int(value, status)
    case .object(let object): g_value_take_object(value, object.map { UnsafeMutableRawPointer($0) })
    }
  }
}

/// Calls `body` at every emission of a signal until the sender is destroyed.
func connect(
  _ sender: some ObjectPointer, _ signal: String, _ body: @escaping (SignalArguments) -> Void
) {
  connect(sender, signal, Handler { arguments, _ in body(arguments) })
}

/// Calls `body` at every emission of a signal with a return value until the sender is destroyed.
func answer(
  _ sender: some ObjectPointer, _ signal: String,
  _ body: @escaping (SignalArguments) -> SignalAnswer
) {
  connect(sender, signal, Handler { body($0).store(in: $1) })
}

private func connect(_ sender: some ObjectPointer, _ signal: String, _ handler: Handler) {
  shelf_connect(
    sender.object, signal,
    { answer, _, arguments, data in
      guard let arguments, let handler = held(data, as: Handler.self) else { return }
      handler.run(SignalArguments(arguments), answer)
    }, hold(handler), { data, _ in release(data) })
}

/// The handler of a signal.
private final class Handler {
  private let body: (SignalArguments, UnsafeMutablePointer<GValue>) -> Void

  init(_ body: @escaping (SignalArguments, UnsafeMutablePointer<GValue>) -> Void) {
    self.body = body
  }

  func run(_ arguments: SignalArguments, _ answer: UnsafeMutablePointer<GValue>?) {
    // If the signal has no return value, GLib provides no memory for it.
    var unused = GValue()
    if let answer {
      body(arguments, answer)
    } else {
      withUnsafeMutablePointer(to: &unused) { body(arguments, $0) }
    }
  }
}

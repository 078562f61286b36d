import CGtk4
import CShelf
import Glibc

/// The arguments of a signal; the first is the sender.
struct SignalArguments {
  private let values: UnsafePointer<GValue>

  fileprivate init(_ values: UnsafePointer<GValue>) { self.values = values }

  /// An object, or nil.
  func object(_ index: Int) -> OpaquePointer? {
    g_value_get_object(values + index).map(OpaquePointer.init)
  }
  /// A double.
  func double(_ index: Int) -> Double { g_value_get_double(values + index) }
  /// A number.
  func int(_ index: Int) -> Int32 { g_value_get_int(values + index) }
  /// An unsigned number.
  func uint(_ index: Int) -> UInt32 { g_value_get_uint(values + index) }
  /// Flags.
  func flags(_ index: Int) -> UInt32 { g_value_get_flags(values + index) }
  /// What a variant that holds a text says; nil for any other variant.
  func text(ofVariant index: Int) -> String? {
    guard let variant = g_value_get_variant(values + index),
      let text = g_variant_get_string(variant, nil)
    else { return nil }
    return String(cString: text)
  }
  /// A variant's unsigned number; nil for any other variant.
  func number(ofVariant index: Int) -> UInt32? {
    guard let variant = g_value_get_variant(values + index),
      strcmp(g_variant_get_type_string(variant), "u") == 0
    else { return nil }
    return g_variant_get_uint32(variant)
  }
  /// What the command line says to an option that takes a text; nil where it was not given.
  func option(_ name: String, at index: Int) -> String? {
    let options = g_value_get_boxed(values + index)?.assumingMemoryBound(to: GVariantDict.self)
    guard let options, let value = g_variant_dict_lookup_value(options, name, nil)
    else { return nil }
    defer { g_variant_unref(value) }
    return g_variant_get_string(value, nil).map { String(cString: $0) }
  }
  /// A truth value.
  func bool(_ index: Int) -> Bool { g_value_get_boolean(values + index) != 0 }
}

/// What a signal can want to know.
enum SignalAnswer {
  /// Whether it was handled.
  case handled(Bool)
  /// Flags of an enumeration.
  case flags(UInt32)
  /// How a program is to end; -1 for not yet.
  case status(Int32)
  /// An object, whose reference is handed over; nil for none.
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

/// Has `body` called at every emission of a signal, as long as the sender is there.
func connect(
  _ sender: some ObjectPointer, _ signal: String, _ body: @escaping (SignalArguments) -> Void
) {
  connect(sender, signal, Handler { arguments, _ in body(arguments) })
}

/// The same for a signal that wants an answer.
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

/// What is called at a signal's emission.
private final class Handler {
  private let body: (SignalArguments, UnsafeMutablePointer<GValue>) -> Void

  init(_ body: @escaping (SignalArguments, UnsafeMutablePointer<GValue>) -> Void) {
    self.body = body
  }

  func run(_ arguments: SignalArguments, _ answer: UnsafeMutablePointer<GValue>?) {
    // A signal without an answer has none to be stored in.
    var unused = GValue()
    if let answer {
      body(arguments, answer)
    } else {
      withUnsafeMutablePointer(to: &unused) { body(arguments, $0) }
    }
  }
}

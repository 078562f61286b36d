import DBus
import Files

/// The contract of the echo service: an interface with a member of each kind.
enum Echo {
  static let busName: BusName = "org.example.Echo"
  static let path: ObjectPath = "/org/example/Echo"
  static let interface: InterfaceName = "org.example.Echo"

  /// A method that returns its argument.
  typealias Same<Value: BusValue> = MethodDeclaration<Arguments<Value>, Arguments<Value>>
  typealias Row = Structure<String, UInt32, [String]>
  typealias Deep = [String: [ObjectPath: [Structure<Int64, [Variant]>]]]

  static let byte = same("Byte", UInt8.self)
  static let boolean = same("Boolean", Bool.self)
  static let int16 = same("Int16", Int16.self)
  static let uint16 = same("Uint16", UInt16.self)
  static let int32 = same("Int32", Int32.self)
  static let uint32 = same("Uint32", UInt32.self)
  static let int64 = same("Int64", Int64.self)
  static let uint64 = same("Uint64", UInt64.self)
  static let double = same("Double", Double.self)
  static let string = same("String", String.self)
  static let objectPath = same("ObjectPath", ObjectPath.self)
  static let signature = same("Signature", Signature.self)
  static let descriptor = same("Descriptor", FileDescriptor.self)
  static let variant = same("Variant", Variant.self)
  static let bytes = same("Bytes", [UInt8].self)
  static let booleans = same("Booleans", [Bool].self)
  static let doubles = same("Doubles", [Double].self)
  static let strings = same("Strings", [String].self)
  static let variants = same("Variants", [String: Variant].self)
  static let names = same("Names", [Int32: String].self)
  static let rows = same("Rows", [Row].self)
  static let deep = same("Deep", Deep.self)
  static let descriptors = same("Descriptors", [FileDescriptor].self)

  static let nothing = MethodDeclaration<Arguments<>, Arguments<>>(interface, "Nothing")
  static let sum = MethodDeclaration<Arguments<Int32, Int32>, Arguments<Int32, Bool>>(
    interface, "Sum", in: "left", "right", out: "sum", "is_whole")
  static let fail = MethodDeclaration<Arguments<String, String>, Arguments<>>(
    interface, "Fail", in: "name", "message")
  static let say = MethodDeclaration<Arguments<String, UInt32>, Arguments<UInt32>>(
    interface, "Say", in: "text", "times", out: "said")
  static let touch = MethodDeclaration<Arguments<>, Arguments<>>(interface, "Touch")
  static let countCalls = MethodDeclaration<Arguments<>, Arguments<UInt32>>(
    interface, "CountCalls", out: "calls")
  static let add = MethodDeclaration<Arguments<String>, Arguments<ObjectPath>>(
    interface, "Add", in: "name", out: "path")
  static let remove = MethodDeclaration<Arguments<String>, Arguments<>>(
    interface, "Remove", in: "name")

  static let said = SignalDeclaration<Arguments<String, UInt32>>(
    interface, "Said", "text", "number")

  static let level = PropertyDeclaration<UInt32>(interface, "Level", isWritable: true)
  static let title = PropertyDeclaration<String>(interface, "Title", isWritable: true)
  static let tags = PropertyDeclaration<[String]>(interface, "Tags")
  static let secret = PropertyDeclaration<String>(
    interface, "Secret", isWritable: true, changes: .invalidates)
  static let version = PropertyDeclaration<UInt32>(interface, "Version", changes: .never)
  static let ticks = PropertyDeclaration<UInt64>(interface, "Ticks", changes: .silent)

  private static func same<Value: BusValue>(_ name: MemberName, _: Value.Type) -> Same<Value> {
    Same<Value>(interface, name, in: "value", out: "value")
  }

  /// Returns a call of a method of the echo object, without checking the arguments.
  static func message<each Argument: BusValue>(
    _ member: MemberName, of interface: InterfaceName? = interface, at path: ObjectPath = path,
    _ arguments: repeat each Argument
  ) -> OutgoingMessage {
    let call = OutgoingMessage.call(member, of: interface, at: path, to: busName)
    call.append(repeat each arguments)
    return call
  }
}

/// An object that `Echo.add` creates.
final class Child {
  static let interface: InterfaceName = "org.example.Child"
  static let name = PropertyDeclaration<String>(interface, "Name", changes: .never)
  static let size = PropertyDeclaration<UInt32>(interface, "Size")

  let name: String

  init(_ name: String) { self.name = name }
}

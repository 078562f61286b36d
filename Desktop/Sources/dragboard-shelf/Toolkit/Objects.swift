import CGtk4

/// A widget, as GTK's functions take it.
typealias Widget = UnsafeMutablePointer<GtkWidget>

/// A pointer to a GObject of any class.
protocol ObjectPointer {
  /// The pointer without its type.
  var object: UnsafeMutableRawPointer { get }
}

extension UnsafeMutablePointer: ObjectPointer {
  var object: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

extension OpaquePointer: ObjectPointer {
  var object: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

extension ObjectPointer {
  /// Casts to a class of the object, like GTK's class macros in C.
  func of<Class>(_: Class.Type = Class.self) -> UnsafeMutablePointer<Class> {
    object.assumingMemoryBound(to: Class.self)
  }

  /// Casts to a class whose structure is private to GTK.
  var opaque: OpaquePointer { OpaquePointer(object) }

  /// Casts to a widget, which the object must be.
  var widget: Widget { of(GtkWidget.self) }
}

/// An object of which this process has a reference.
final class Owned {
  /// The object.
  let pointer: OpaquePointer

  /// Adopts the caller's reference.
  init(adopting pointer: OpaquePointer) { self.pointer = pointer }

  /// Adds a reference, or adopts a floating one.
  init(retaining pointer: OpaquePointer) {
    g_object_ref_sink(UnsafeMutableRawPointer(pointer))
    self.pointer = pointer
  }

  isolated deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }
}

/// Returns a Swift object as the data of a C function, retained until `release` is called with it.
func hold(_ object: AnyObject) -> UnsafeMutableRawPointer {
  Unmanaged.passRetained(object).toOpaque()
}

/// Returns a Swift object as the data of a C function, without retaining it.
func borrow(_ object: AnyObject) -> UnsafeMutableRawPointer {
  Unmanaged.passUnretained(object).toOpaque()
}

/// Returns the Swift object in the data of a C function.
func held<Class: AnyObject>(_ data: UnsafeMutableRawPointer?, as: Class.Type) -> Class? {
  data.map { Unmanaged<Class>.fromOpaque($0).takeUnretainedValue() }
}

/// Releases an object that `hold` has retained.
func release(_ data: UnsafeMutableRawPointer?) {
  if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
}

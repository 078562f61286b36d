import CGtk4

/// A widget, with the type that GTK's functions expect.
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

  /// Casts to a widget.
  ///
  /// The object must be a widget.
  var widget: Widget { of(GtkWidget.self) }
}

/// A reference to an object, which is released at the end.
final class Owned {
  /// The object.
  let pointer: OpaquePointer

  /// Adopts the caller's reference.
  init(adopting pointer: OpaquePointer) { self.pointer = pointer }

  /// Adds a reference, or takes over a floating reference.
  init(retaining pointer: OpaquePointer) {
    g_object_ref_sink(UnsafeMutableRawPointer(pointer))
    self.pointer = pointer
  }

  isolated deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }
}

/// Returns a pointer to a Swift object for C code.
///
/// The object is retained until `release` is called with the pointer.
func hold(_ object: AnyObject) -> UnsafeMutableRawPointer {
  Unmanaged.passRetained(object).toOpaque()
}

/// Returns a pointer to a Swift object for C code, without retaining the object.
func borrow(_ object: AnyObject) -> UnsafeMutableRawPointer {
  Unmanaged.passUnretained(object).toOpaque()
}

/// Returns the Swift object of a pointer that C code passes.
func held<Class: AnyObject>(_ data: UnsafeMutableRawPointer?, as: Class.Type) -> Class? {
  data.map { Unmanaged<Class>.fromOpaque($0).takeUnretainedValue() }
}

/// Releases an object that `hold` has retained.
func release(_ data: UnsafeMutableRawPointer?) {
  if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
}

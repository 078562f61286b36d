import CGtk4

/// A widget, as GTK's functions take it.
typealias Widget = UnsafeMutablePointer<GtkWidget>

/// A pointer to a GObject, of whatever class.
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
  /// The same object as one of a class that it is of; GTK's macros of the classes' names do that in C.
  func of<Class>(_: Class.Type = Class.self) -> UnsafeMutablePointer<Class> {
    object.assumingMemoryBound(to: Class.self)
  }

  /// The same object as one of a class whose contents are GTK's own.
  var opaque: OpaquePointer { OpaquePointer(object) }

  /// The same object as a widget, which it has to be.
  var widget: Widget { of(GtkWidget.self) }
}

/// An object that this process holds a reference to.
final class Owned {
  /// The object.
  let pointer: OpaquePointer

  /// Takes over the caller's reference.
  init(adopting pointer: OpaquePointer) { self.pointer = pointer }

  /// Adds a reference, which takes the place of a floating one.
  init(retaining pointer: OpaquePointer) {
    g_object_ref_sink(UnsafeMutableRawPointer(pointer))
    self.pointer = pointer
  }

  isolated deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }
}

/// A Swift object as the data of a C function, held until `release` is called with it.
func hold(_ object: AnyObject) -> UnsafeMutableRawPointer {
  Unmanaged.passRetained(object).toOpaque()
}

/// A Swift object as the data of a C function, held by somebody else.
func borrow(_ object: AnyObject) -> UnsafeMutableRawPointer {
  Unmanaged.passUnretained(object).toOpaque()
}

/// The Swift object that is a C function's data.
func held<Class: AnyObject>(_ data: UnsafeMutableRawPointer?, as: Class.Type) -> Class? {
  data.map { Unmanaged<Class>.fromOpaque($0).takeUnretainedValue() }
}

/// Lets go of what `hold` has held.
func release(_ data: UnsafeMutableRawPointer?) {
  if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
}

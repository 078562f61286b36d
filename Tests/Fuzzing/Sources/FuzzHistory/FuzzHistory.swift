import FuzzTargets

/// What libFuzzer calls.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  FuzzTarget.history.run(UnsafeRawBufferPointer(start: start, count: count))
  return 0
}

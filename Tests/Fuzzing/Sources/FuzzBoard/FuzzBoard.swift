import FuzzTargets

/// The entry point of libFuzzer.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  FuzzTarget.board.run(UnsafeRawBufferPointer(start: start, count: count))
  return 0
}

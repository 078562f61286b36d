import Files
import Foundation
import Testing

@Suite("Programs and pipes")
struct SubprocessTests {
  /// Runs a script, and returns its exit status and its output.
  private func run(
    _ script: String, environment: [String: String]? = nil, input: Subprocess.Stream = .null,
    errors: Subprocess.Stream = .inherited, group: Subprocess.Group = .inherited
  ) throws -> (status: Int32, output: String) {
    func start() throws -> (Subprocess, FileDescriptor) {
      let pipe = try FileDescriptor.makePipe()
      let process = try Subprocess(
        "/bin/sh", ["-c", script], environment: environment, input: input,
        output: .descriptor(pipe.writing), errors: errors, group: group)
      return (process, pipe.reading)
    }
    let (process, output) = try start()
    let text = withExtendedLifetime(output) {
      FileHandle(fileDescriptor: output.number, closeOnDealloc: false).readDataToEndOfFile()
    }
    return (process.wait(), String(decoding: text, as: UTF8.self))
  }

  @Test("The status is the exit code, or 128 plus the number of the signal")
  func status() throws {
    #expect(try run("exit 7").status == 7)
    #expect(try run("kill -TERM $$").status == 128 + SIGTERM)
  }

  @Test("The environment is the given one, or that of this process")
  func environment() throws {
    #expect(try run("echo $A", environment: ["A": "b=c d"]).output == "b=c d\n")
    #expect(try run("echo $HOME").output == "\(Environment["HOME"] ?? "")\n")
  }

  @Test("A name without a slash is looked for on PATH; a missing program is an error with its name")
  func names() throws {
    #expect(try Subprocess("true", []).wait() == 0)
    #expect(throws: SystemError("no-such-program", code: ENOENT)) {
      try Subprocess("no-such-program", [])
    }
  }

  @Test("A program reads from a pipe, and gets no other descriptor")
  func pipes() throws {
    let pipe = try FileDescriptor.makePipe()
    try pipe.writing.write(Array("a line\n".utf8))
    var status = stat()
    #expect(fstat(pipe.reading.number, &status) == 0)
    // Other tests may open files that programs inherit, so only this pipe is counted.
    let count = "ls -l /proc/self/fd | grep -c 'pipe:.\(status.st_ino).'"
    let script = "read line; echo \"$line\"; \(count)"
    #expect(try run(script, input: .descriptor(pipe.reading)).output == "a line\n1\n")
    let silent = try run("echo lost >&2; cat", errors: .null)
    #expect(silent.status == 0 && silent.output.isEmpty)
  }

  @Test("A read of a nonblocking pipe does not wait; a program's input waits")
  func blocking() throws {
    let (ready, waiting) = (
      try FileDescriptor.makePipe(isBlocking: false), try FileDescriptor.makePipe()
    )
    #expect(fcntl(ready.reading.number, F_GETFL) & O_NONBLOCK != 0)
    #expect(fcntl(ready.writing.number, F_GETFL) & O_NONBLOCK == 0)
    #expect(fcntl(waiting.reading.number, F_GETFL) & O_NONBLOCK == 0)
  }

  @Test("Signals that this process blocks or ignores have their default actions in the program")
  func signals() throws {
    let handler = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, handler) }
    #expect(try run("kill -PIPE $$").status == 128 + SIGPIPE)
    #expect(try run("kill -INT $$").status == 128 + SIGINT)
  }

  @Test("A group of its own is terminated with the children of the program")
  func group() throws {
    let pipe = try FileDescriptor.makePipe()
    let script = "sleep 1000 & echo started; wait"
    let process = try Subprocess(
      "/bin/sh", ["-c", script], output: .descriptor(pipe.writing), group: .own)
    var byte: UInt8 = 0
    #expect(read(pipe.reading.number, &byte, 1) == 1)
    #expect(getpgid(process.id) == process.id)
    process.terminateGroup()
    process.waitForEnd()
    #expect(process.wait() == 128 + SIGTERM)
  }

  @Test("A program in a session of its own has the terminal as its controlling terminal")
  func session() throws {
    var (screen, inner): (Int32, Int32) = (-1, -1)
    try #require(openpty(&screen, &inner, nil, nil, nil) == 0)
    defer { for end in [screen, inner] { close(end) } }
    for end in [screen, inner] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let path = try #require(ttyname(inner).map { String(cString: $0) })
    let result = try run("ps -o tty= -p $$", input: .path(path), group: .session)
    #expect("/dev/" + result.output.trimmingCharacters(in: .whitespacesAndNewlines) == path)
  }
}

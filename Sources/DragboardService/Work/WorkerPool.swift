import CLinux
import DBus
import Glibc

/// A few threads for what would hold up the loop: reading and writing files.
///
/// Threads come when there is work and go when there has been none for a while. Work in one *lane*, such as that of one client, is done one
/// after the other. A client's file may hang, on a network or in user space: that holds up its client alone, for some threads are kept for
/// what cannot hang. Work without a lane is the daemon's own: of that only so much is done at once that a processor is left for the loop,
/// and for the bus.
///
/// Unchecked, because everything but what `init` sets is behind the mutex.
final class WorkerPool: @unchecked Sendable {
  private struct Job {
    let lane: String?
    /// Whether it reads what may never come: a client's file.
    let mayHang: Bool
    let work: () -> Void
  }

  private static let mostThreads = 40
  private static let mostThatHang = 32
  private static let stackSize = 512 << 10
  private static let secondsOfPatience = 5

  private let loop: EventLoop
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let bell = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var jobs: [Job] = []
  private var lanes: Set<String> = []
  /// How many threads do work that may hang.
  private var hanging = 0
  /// How many threads do work without a lane, and how many may.
  private var laneless = 0
  private let mostLaneless = max(1, min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1))
  private var threads = 0
  private var idle = 0

  init(_ loop: EventLoop) {
    self.loop = loop
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(bell, nil)
  }

  // Every thread keeps the pool.
  deinit {
    pthread_cond_destroy(bell)
    pthread_mutex_destroy(mutex)
    bell.deallocate()
    mutex.deallocate()
  }

  /// Does `work` on a thread of the pool, and then has `then` called on the loop with what came of it.
  func run<Outcome: Sendable>(
    inLane lane: String? = nil, mayHang: Bool = false,
    _ work: @escaping @Sendable () -> Outcome, then: @escaping (Outcome) -> Void
  ) {
    let continuation = OnLoop(body: then)
    let job = Job(lane: lane, mayHang: mayHang) { [loop] in
      let outcome = work()
      loop.perform { continuation.body(outcome) }
    }
    if !hasTaken(job) { job.work() }
  }

  /// False where the system gives not even one thread.
  private func hasTaken(_ job: Job) -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if idle > 0 { pthread_cond_signal(bell) }
    if needsThread(for: job), !startThread() {
      guard threads > 0 else { return false }
    }
    jobs.append(job)
    return true
  }

  // MARK: With the mutex held

  /// Whether a job has none to be done by: the threads that wait have as many jobs to wake up for.
  private func needsThread(for job: Job) -> Bool {
    guard threads < Self.mostThreads, job.lane != nil || laneless < mostLaneless else {
      return false
    }
    return jobs.count >= idle
  }

  private func startThread() -> Bool {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, Self.stackSize)
    var thread = pthread_t()
    let pool = Unmanaged.passRetained(self)
    let code = pthread_create(&thread, &attributes, { threadOfPool($0) }, pool.toOpaque())
    guard code == 0 else {
      pool.release()
      return false
    }
    threads += 1
    return true
  }

  /// The next job that can be done; nil where none came for too long.
  private func takeJob() -> Job? {
    var isPatient = true
    while true {
      if let job = nextJob() { return job }
      guard isPatient else { return nil }
      isPatient = waitForJob()
    }
  }

  private func nextJob() -> Job? {
    let place = jobs.firstIndex { job in
      guard let lane = job.lane else { return laneless < mostLaneless }
      return !lanes.contains(lane) && (!job.mayHang || hanging < Self.mostThatHang)
    }
    guard let place else { return nil }
    let job = jobs.remove(at: place)
    if let lane = job.lane { lanes.insert(lane) } else { laneless += 1 }
    if job.mayHang { hanging += 1 }
    return job
  }

  /// Waits for a job; false where none came for too long.
  private func waitForJob() -> Bool {
    idle += 1
    defer { idle -= 1 }
    var deadline = timespec()
    clock_gettime(CLOCK_REALTIME, &deadline)
    deadline.tv_sec += Self.secondsOfPatience
    return pthread_cond_timedwait(bell, mutex, &deadline) == 0
  }

  // MARK: On a thread of the pool

  fileprivate func serve() {
    clinux_be_nice()
    pthread_mutex_lock(mutex)
    while let job = takeJob() {
      pthread_mutex_unlock(mutex)
      job.work()
      pthread_mutex_lock(mutex)
      if let lane = job.lane { lanes.remove(lane) } else { laneless -= 1 }
      if job.mayHang { hanging -= 1 }
    }
    threads -= 1
    pthread_mutex_unlock(mutex)
  }
}

private func threadOfPool(_ pool: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  pool.map { Unmanaged<WorkerPool>.fromOpaque($0).takeRetainedValue().serve() }
  return nil
}

/// A function on its way to a worker and back.
///
/// Unchecked, because it is made, called and let go on the loop alone.
private struct OnLoop<Argument>: @unchecked Sendable {
  let body: (Argument) -> Void
}

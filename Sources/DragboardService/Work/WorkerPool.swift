import CLinux
import DBus
import Glibc

/// A pool of a few threads for work that would block the loop: reading and writing files.
///
/// Threads start when there is work and end after a while without work. Each kind of work has
/// separate threads. So if all reads of clients' files hang, other work continues. Work in one
/// *lane*, such as the work of one client, is performed in order, one job at a time. Storage work
/// without a lane is work of the daemon itself. The number of such jobs that run at once is
/// limited, to leave a processor for the loop and the bus.
///
/// Unchecked, because the mutex protects everything that `init` does not set.
final class WorkerPool: @unchecked Sendable {
  final class Job {
    fileprivate let lane: String?
    fileprivate let kind: WorkKind
    fileprivate let work: () -> Void

    fileprivate init(inLane lane: String?, _ kind: WorkKind, _ work: @escaping () -> Void) {
      (self.lane, self.kind, self.work) = (lane, kind, work)
    }
  }

  private static let maxThreads = WorkKind.allCases.reduce(0) { $0 + $1.maxThreads }
  private static let stackSize = 512 << 10
  private static let idleSeconds = 5

  private let loop: EventLoop
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let bell = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var jobs: [Job] = []
  private var lanes: Set<String> = []
  /// The number of threads that do each kind of work.
  private var running: [WorkKind: Int] = [:]
  /// The number of threads that do storage work without a lane, and its maximum.
  private var laneless = 0
  private let maxLaneless = max(1, min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1))
  private var threads = 0
  private var idle = 0

  init(_ loop: EventLoop) {
    self.loop = loop
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(bell, nil)
  }

  // Every thread retains the pool, so all threads have ended.
  deinit {
    pthread_cond_destroy(bell)
    pthread_mutex_destroy(mutex)
    bell.deallocate()
    mutex.deallocate()
  }

  /// Performs `work` on a thread of the pool, then calls `then` on the loop with the result.
  ///
  /// - Returns: the job, which can be cancelled until it begins.
  @discardableResult
  func run<Outcome: Sendable>(
    inLane lane: String? = nil, kind: WorkKind = .storage,
    _ work: @escaping @Sendable () -> Outcome, then: @escaping (Outcome) -> Void
  ) -> Job {
    let continuation = OnLoop(body: then)
    let job = Job(inLane: lane, kind) { [loop] in
      let outcome = work()
      loop.perform { continuation.body(outcome) }
    }
    if !hasTaken(job) { job.work() }
    return job
  }

  /// Cancels a job that has not begun.
  ///
  /// - Returns: false if the job has begun.
  func cancel(_ job: Job) -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    guard let place = jobs.firstIndex(where: { $0 === job }) else { return false }
    jobs.remove(at: place)
    return true
  }

  /// Adds a job to the queue.
  ///
  /// Returns false if there is no thread and the system cannot create one.
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

  /// Returns whether a job needs a new thread, because other jobs wait for all idle threads.
  private func needsThread(for job: Job) -> Bool {
    threads < Self.maxThreads && hasThread(for: job) && jobs.count >= idle
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

  /// Waits for the next job that can start, and returns it; nil if none comes for a while.
  private func takeJob() -> Job? {
    var mayWait = true
    while true {
      if let job = nextJob() { return job }
      guard mayWait else { return nil }
      mayWait = waitForJob()
    }
  }

  private func nextJob() -> Job? {
    let place = jobs.firstIndex { job in
      hasThread(for: job) && !(job.lane.map(lanes.contains) ?? false)
    }
    guard let place else { return nil }
    let job = jobs.remove(at: place)
    running[job.kind, default: 0] += 1
    if let lane = job.lane { lanes.insert(lane) } else if job.kind == .storage { laneless += 1 }
    return job
  }

  /// Returns whether the limits allow another thread for this kind of work.
  private func hasThread(for job: Job) -> Bool {
    running[job.kind, default: 0] < job.kind.maxThreads
      && (job.lane != nil || job.kind != .storage || laneless < maxLaneless)
  }

  private func conclude(_ job: Job) {
    running[job.kind, default: 1] -= 1
    if let lane = job.lane { lanes.remove(lane) } else if job.kind == .storage { laneless -= 1 }
  }

  /// Waits for a job.
  ///
  /// Returns false if none comes for a while.
  private func waitForJob() -> Bool {
    idle += 1
    defer { idle -= 1 }
    var deadline = timespec()
    clock_gettime(CLOCK_REALTIME, &deadline)
    deadline.tv_sec += Self.idleSeconds
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
      conclude(job)
    }
    threads -= 1
    pthread_mutex_unlock(mutex)
  }
}

private func threadOfPool(_ pool: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  pool.map { Unmanaged<WorkerPool>.fromOpaque($0).takeRetainedValue().serve() }
  return nil
}

/// A function that travels to a worker and back.
///
/// Unchecked, because it is created, called and released only on the loop.
private struct OnLoop<Argument>: @unchecked Sendable {
  let body: (Argument) -> Void
}

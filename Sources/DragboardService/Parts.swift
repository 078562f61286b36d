import DBus
import DragboardInterface
import DragboardStore
import Logging

/// The connected parts of a service.
///
/// Commands use registries, and registries contain entities.
struct Parts {
  let sessions: Sessions
  let views: Views
  let boards: Boards
  let drags: Drags
  let manager: ManagerCommands
  let work: ClientWork
  let largeReads: LargeReads
  let purge: Purge
  let words: WordIndex
  let searches: SearchGate
  let trim: IdleTrim
  /// Creates the command of a call.
  let context: (Call) -> Command

  init(
    _ server: ObjectServer, _ store: BoardStore, _ transactions: Transactions,
    _ scheduler: Scheduler, _ admission: Admission, limits: Limits, _ log: Logger,
    now: @escaping () -> UInt64, elapsed: @escaping () -> Duration
  ) {
    let connection = server.connection
    let context = { (call: Call) in Command(call, in: transactions.current) }
    let ids = ItemIDs(salt: store.salt)
    let peers = PeerWatch(connection, scheduler)
    (self.context, trim) = (context, IdleTrim(scheduler))
    work = ClientWork(scheduler, loadTimeout: limits.loadTimeout)
    words = WordIndex(scheduler, log)
    searches = SearchGate(scheduler)
    purge = Purge(scheduler, log, TraceErasure(scheduler, log, words))
    let longCalls = LongCalls(scheduler: scheduler, admission: admission)
    largeReads = LargeReads(scheduler, connection, admission)
    let reader = ContentReader(
      largeReads: largeReads,
      copies: ClientCopies(
        scheduler, watch: InotifyWatch(connection.loop), contents: store.contents))

    sessions = Sessions(
      server, scheduler, limits: limits, ids: ids,
      numbers: PathNumbers(log) { store throws(StoreError) in
        try store.reserveSessionNumbers()
      })
    views = Views(
      server, admission, peers, scheduler, maxViews: limits.maxViews,
      numbers: PathNumbers(log) { store throws(StoreError) in
        try store.reserveViewNumbers()
      })
    let named = NamedRows(views: views, sessions: sessions)
    let viewTable = ViewCommands(views: views, named: named).table(context)
    views.interfaces = { [ObjectInterface(viewTable, of: $0)] }
    let storage = SandboxStorage(scheduler, maxBytes: limits.maxSandboxBytes, log)
    let clock = AgeClock(now, elapsed: elapsed)
    let retention = Retention(scheduler: scheduler, clock: clock)
    let insertions = BoardInsertions(
      work: work, words: words, storage: storage, purge: purge, scheduler: scheduler,
      longCalls: longCalls, retention: retention, limits: limits, now: now)
    drags = Drags(
      sessions, peers, scheduler, purge, insertions,
      PromiseQueue(
        connection, admission, peers, scheduler, limits: limits, contents: store.contents),
      timeout: limits.sessionTimeout)
    let sessionTable = SessionTable(
      context: context, commands: SessionCommands(drags: drags),
      registration: SessionRegistration(drags: drags, work: work, limits: limits),
      loading: SessionLoading(drags: drags, reader: reader)
    ).table()
    sessions.interfaces = { [ObjectInterface(sessionTable, of: $0)] }

    let sessions = sessions
    let willChange: RowsWillChange = { rows throws(StoreError) in
      try sessions.preserveContents(of: rows)
    }
    let tables = BoardTables(
      context: context,
      reads: BoardReads(reader: reader, longCalls: longCalls),
      searches: BoardSearches(words: words, gate: searches, longCalls: longCalls),
      insertions: insertions,
      edits: BoardEdits(
        work: work, words: words, storage: storage, limits: limits, willChange: willChange),
      settings: BoardAdministration(limits: limits, retention: retention),
      arrangements: BoardArrangements(limits: limits),
      undo: BoardUndo(words: words, retention: retention, willChange: willChange),
      sharing: BoardSharing(
        work: work, words: words, retention: retention, limits: limits, willChange: willChange,
        now: now),
      drags: BoardDrags(drags: drags, named: named, limits: limits), views: views, limits: limits
    ).all()
    boards = Boards(
      server, store, scheduler, purge, retention, limits: limits, ids: ids,
      sessions: sessions, views: views, clock: clock
    ) { board in
      tables.map { ObjectInterface($0, of: board) }
    }
    manager = ManagerCommands(boards, drags, limits: limits)
  }
}

import LinkModel
import Testing

struct BackoffTests {
  private func expect(
    _ delay: Duration, _ milliseconds: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let expected = Duration.milliseconds(milliseconds)
    #expect((expected * 0.8...expected * 1.2).contains(delay), sourceLocation: sourceLocation)
  }

  @Test
  func delaysAreDoubledUpTo8Seconds() {
    var (backoff, now) = (Backoff(), ContinuousClock.now)
    #expect(backoff.next(now: now) == .zero)
    for milliseconds in [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000] {
      let delay = backoff.next(now: now)
      expect(delay, milliseconds)
      // The attempt fails before the maximum delay has passed.
      now += delay + .seconds(7)
    }
    expect(Backoff.delay(afterFailures: .max), 8_000)
    expect(Backoff.delay(afterFailures: -1), 250)
  }

  @Test
  func anAttemptThatWorkedForLongIsRepeatedSoon() {
    var (backoff, now) = (Backoff(), ContinuousClock.now)
    for _ in 0..<9 { now += backoff.next(now: now) }
    now += .seconds(9)
    expect(backoff.next(now: now), 250)
    expect(backoff.next(now: now), 500)
  }
}

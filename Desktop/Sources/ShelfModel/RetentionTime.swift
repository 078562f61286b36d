/// A time for which a board keeps its rows, as the preferences name it.
public enum RetentionTime {
  /// The times that the user can choose; zero means no limit.
  public static let choices: [Duration] = [
    .zero, .seconds(day), .seconds(7 * day), .seconds(30 * day),
  ]
  private static let day: Int64 = 24 * 60 * 60

  /// Returns the choices, with another time at the end if a board has one.
  public static func choices(with time: Duration) -> [Duration] {
    choices.contains(time) ? choices : choices + [time]
  }

  /// Returns the name of a time, in the largest unit that gives a whole number.
  public static func title(of time: Duration) -> String {
    let seconds = time.components.seconds
    switch seconds {
    case 0: return localized("Forever")
    case 7 * day: return localized("1 Week")
    case _ where seconds % day == 0: return counted("1 Day", "%1 Days", Int(seconds / day))
    case _ where seconds % 3600 == 0: return counted("1 Hour", "%1 Hours", Int(seconds / 3600))
    case _ where seconds % 60 == 0: return counted("1 Minute", "%1 Minutes", Int(seconds / 60))
    default: return counted("1 Second", "%1 Seconds", Int(seconds))
    }
  }
}

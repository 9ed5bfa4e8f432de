public import Foundation

/// A clock that also knows what a calendar on the wall shows.
///
/// Ages and time-outs use its instants; what the wire or a person reads (`iat`, `apns-expiration`, schedules) uses
/// ``date``. Both move together.
public protocol CivilClock: Clock where Duration == Swift.Duration {
    var date: Date { get }
}

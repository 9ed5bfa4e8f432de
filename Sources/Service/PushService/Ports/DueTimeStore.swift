package import Foundation

/// The due times of chunks, pauses and callbacks.
package protocol DueTimeStore: Sendable {
    /// Adjusts due times after the clock was set back by `seconds` to `now`: later times move forward by as much, and work that was
    /// already due stays due.
    func bringForward(by seconds: TimeInterval, at now: Date) async throws
}

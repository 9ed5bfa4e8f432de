import Foundation
import PushClock
import PushModel
import SystemPort

/// The work that an app finishes in the background, and its time limit.
@MainActor
final class BackgroundTasks {
    /// The time limit. Source: Apple, "Extending your app's background execution time": no number; about 30 s have been
    /// observed since iOS 13.
    static let time = Duration.seconds(30)

    private var handlers: [Int: @MainActor () -> Void] = [:]
    private var last = 0
    private var alarm: Alarm?
    /// The time at which the app went to the background, or was last woken there; nil in the foreground.
    private var since: Date?
    private let port: any SystemPort

    nonisolated init(_ port: any SystemPort) { self.port = port }

    static func of(_ port: any SystemPort) -> BackgroundTasks { port.slots.slot { BackgroundTasks(port) } }

    func begin(_ handler: (@MainActor () -> Void)?) -> UIBackgroundTaskIdentifier {
        last += 1
        if handlers.isEmpty { port.call(.keepRunning(true)) }
        handlers[last] = handler ?? {}
        if since != nil { setAlarm() }
        return UIBackgroundTaskIdentifier(rawValue: last)
    }

    func end(_ identifier: UIBackgroundTaskIdentifier) {
        let wasRunning = handlers.removeValue(forKey: identifier.rawValue) != nil
        guard wasRunning, handlers.isEmpty else { return }
        // The next task has its own time limit.
        alarm?.cancel()
        alarm = nil
        port.call(.keepRunning(false))
    }

    /// Starts the time limit when the app goes to the background.
    func enteredBackground() {
        since = port.clock.date
        setAlarm()
    }

    /// Restarts the time limit when an event wakes the app in the background.
    func woke() {
        guard alarm == nil else { return }
        since = port.clock.date
    }

    /// The remaining time in seconds.
    var remaining: TimeInterval {
        let time = TimeInterval(Self.time.components.seconds)
        guard let since else { return time }
        return max(0, time - port.clock.date.timeIntervalSince(since))
    }

    private func setAlarm() {
        guard alarm == nil, !handlers.isEmpty else { return }
        let port = port
        alarm = AppWork.of(port).alarm(after: .seconds(remaining), on: port.clock) {
            let piece = AppWork.of(port).begin()
            // Not awaited here: it ends with the app's handlers, and a test that settles the app awaits the piece.
            Task { @MainActor in CurrentPort.with(port, in: piece) { BackgroundTasks.of(port).expire() } }
        }
    }

    func leftBackground() {
        since = nil
        alarm?.cancel()
        alarm = nil
    }

    private func expire() {
        alarm = nil
        let due = handlers.sorted { $0.key < $1.key }
        handlers = [:]
        for handler in due { handler.value() }
        if !due.isEmpty, handlers.isEmpty { port.call(.keepRunning(false)) }
    }
}

import DeviceLink
import Foundation
import PushModel
import SystemPort

/// The effects that the shell performs after a change of the device's state.
enum DeviceEffect: Sendable {
    case courier(CourierClient.Action)
    /// Start a process of the app or of one of its extensions.
    case launch(Executable, process: Int, AppFacts)
    case kill(process: Int)
    /// End every process, including those that the state counts as ended because only their last event remains.
    case killAll
    /// Suspend the process.
    case suspend(process: Int)
    case resumeProcess(Int)
    case deliver(SystemEvent, event: Int, process: Int)
    case facts(AppFacts, process: Int)
    case reply(SystemReply, SystemReplyHandler)
    case journey(JourneyEvent, JourneySubject)
    case deviceEvent(DeviceEvent)
    case alarm(DeviceAlarm, Duration)
    case cancel(DeviceAlarm)
    /// Examine whether a push's values fit the type of an app that has its code in this process; then call
    /// ``DeviceState/carryOut(_:problem:)``.
    case examine(LiveActivityValues, of: ExaminedPush)
    /// Delete files from the attachment store.
    case discard(paths: [String])
    /// Write what an app has stored.
    case save(AppData, of: String)
    /// Delete what an app has stored.
    case forget(String)
    case resume(@Sendable () -> Void)
}

/// A program of an app.
enum Executable: Hashable, Sendable {
    case app
    case serviceExtension
    /// The content extension for a category.
    case contentExtension(category: String)
}

/// A deadline that the device waits for.
enum DeviceAlarm: Hashable, Sendable {
    /// The timeout for an event's answer.
    case answer(event: Int)
    case banner
    case courier
    /// The app has nothing more to do in the background.
    case suspend(String)
    /// A local notification is due.
    case local
    /// A background fetch is due.
    case fetch
    /// Midnight, or a change of the clocks.
    case timeChange
    /// The scheduled summary is due.
    case summary
    /// A Live Activity starts, is out of date, ends or is removed.
    case activities
    /// A held silent push may wake its app.
    case budget
    /// The time of an app for an action on a call has expired.
    case callAction(UUID)
    /// A deadline of the location services.
    case location(LocationDeadline)
}

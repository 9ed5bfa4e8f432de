import DeviceLink
import PushModel
import SystemPort

/// What the shell does after a change of the device's state.
enum DeviceEffect: Sendable {
    case courier(CourierClient.Action)
    /// Start the app's process.
    case launch(process: Int, AppFacts)
    /// Start the app's service extension.
    case launchExtension(process: Int, AppFacts)
    /// Start the app's content extension for a category.
    case launchContent(process: Int, category: String, AppFacts)
    case kill(process: Int)
    /// Every process, also one that the state counts as gone because it has only its last event to take.
    case killAll
    /// The process stands still.
    case suspend(process: Int)
    case resumeProcess(Int)
    case deliver(SystemEvent, event: Int, process: Int)
    case facts(AppFacts, process: Int)
    case reply(SystemReply, @Sendable (SystemReply) -> Void)
    case journey(JourneyEvent, JourneySubject)
    case deviceEvent(DeviceEvent)
    case alarm(DeviceAlarm, Duration)
    case cancel(DeviceAlarm)
    /// Delete files of the attachment store.
    case discard(paths: [String])
    case resume(@Sendable () -> Void)
}

/// A moment that the device waits for.
enum DeviceAlarm: Hashable, Sendable {
    /// The time of an event's answer is over.
    case answer(event: Int)
    case banner
    case courier
    /// The app has nothing more to do in the background.
    case suspend(String)
    /// A local notification is due.
    case local
    /// The scheduled summary is due.
    case summary
    /// A silent push that was held may wake its app.
    case budget
}

import ActivityKit
import PushClock
import Synchronization
import UIKit

/// The Live Activities of the matrix's app.
struct MatrixAttributes: ActivityAttributes {
    struct ContentState: Codable, Hashable {
        var status: String
    }

    var order: String
}

/// An app that awaits the sequences of its Live Activities.
final class ActivityMatrixApp: UIResponder, UIApplicationDelegate {
    private let log: ActivityMatrixLog

    init(_ log: ActivityMatrixLog) { self.log = log }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let log = log
        // Both run as long as the process of the app: the sequences have no end.
        Task { for await _ in Activity<MatrixAttributes>.pushToStartTokenUpdates {} }
        Task {
            for await activity in Activity<MatrixAttributes>.activityUpdates {
                log.started(activity)
                // It ends when the activity is dismissed.
                if log.isRecording { Task { await log.listen(to: activity) } }
            }
        }
        return true
    }
}

/// The lines about all that the app has heard of its Live Activities, from any thread.
final class ActivityMatrixLog: Sendable {
    private struct State {
        var isRecording = false
        var lines: [String: [String]] = [:]
        var steps: [Step: Announcement<Void>] = [:]
    }

    /// Something that happens once to an activity in the app.
    enum Step: Hashable {
        /// The app has the activity from its sequence.
        case known(String)
        /// The sequences of the activity are being listened to.
        case listening(String)
        /// The app has the token of the activity.
        case token(String)
        /// The sequences of the activity have ended.
        case ended(String)
    }

    private let state = Mutex(State())

    /// Whether the push of the case comes next, or has come.
    var isRecording: Bool { state.withLock(\.isRecording) }

    func record() { state.withLock { $0.isRecording = true } }

    /// The lines about an activity, in the order of the sequences, and in each in that of their elements.
    func lines(of id: String) -> [String] { state.withLock { $0.lines[id] ?? [] } }

    func started(_ activity: Activity<MatrixAttributes>) {
        if isRecording { add("activityUpdates", of: activity.id) }
        announcement(.known(activity.id)).make(.success(()))
    }

    /// Listens to the sequences of an activity until it is dismissed. Each holds its elements from the beginning on, so they are taken
    /// one after the other.
    func listen(to activity: Activity<MatrixAttributes>, ignoring current: Data? = nil) async {
        var tokens = activity.pushTokenUpdates.makeAsyncIterator()
        var contents = activity.contentUpdates.makeAsyncIterator()
        var states = activity.activityStateUpdates.makeAsyncIterator()
        announcement(.listening(activity.id)).make(.success(()))
        while let token = await tokens.next() {
            if token != current { add("pushTokenUpdates", of: activity.id) }
            announcement(.token(activity.id)).make(.success(()))
        }
        while let content = await contents.next() { add("contentUpdates(\(content.state.status))", of: activity.id) }
        while let state = await states.next() { add("activityStateUpdates(.\(state))", of: activity.id) }
        announcement(.ended(activity.id)).make(.success(()))
    }

    private func add(_ line: String, of id: String) { state.withLock { $0.lines[id, default: []].append(line) } }

    /// Returns the announcement of a step, for which the stage waits.
    func announcement(_ step: Step) -> Announcement<Void> {
        state.withLock { state in
            if let made = state.steps[step] { return made }
            let made = Announcement<Void>()
            state.steps[step] = made
            return made
        }
    }
}

import ActivityKit
package import PosthornPhone
import PushClock
import PushDevice
import PushModel
import SystemPort
import UIKit

/// A phone with an app that has Live Activities, on which a case is run.
@MainActor
package struct ActivityMatrixStage {
    /// A wait that did not end: the app has not heard what it was told.
    package struct Stalled: Error, CustomStringConvertible {
        package var description: String
    }

    private static let channel = "bWF0cml4LWNoYW5uZWw="

    package let phone: TestPhone
    private let row: ActivityMatrixCase
    private let log = ActivityMatrixLog()
    private let app = InstalledApp(
        bundleID: "com.example.matrix",
        name: "Matrix",
        info: ["NSSupportsLiveActivities": true]
    )

    /// Creates a phone with the app.
    ///
    /// - Parameters:
    ///   - row: the case.
    ///   - system: the version of iOS, 18 or later: broadcast channels came with it.
    package init(_ row: ActivityMatrixCase, system: SystemProfile = .iOS(18)) {
        phone = TestPhone(system)
        self.row = row
        phone.install(app) { [log] in ActivityMatrixApp(log) }
    }

    /// Puts the activity and the app in their states, delivers the push, and tells what came of it.
    ///
    /// - Returns: the outcome.
    /// - Throws: ``Stalled`` if the app does not hear what it is told, or ActivityKit's error if the activity cannot start.
    package func run() async throws -> ActivityMatrixOutcome {
        await phone.open(app)
        let id = try await startActivity()
        if row.app != .foreground { await phone.background(app) }
        if row.app == .terminatedBySystem { await phone.terminate(app) }
        if row.app == .forceQuit { await phone.forceQuit(app) }
        let before = records
        log.record()
        let listened = try await listen(to: before)
        let begin = phone.device.recentDeviceEvents.count
        let push = await send(to: id)
        await phone.device.settled()
        let started = records.filter { record in !before.contains { $0.id == record.id } }
        if isRunning {
            for each in started { try await wait(for: .token(each.id), "the app has the token of the new activity") }
        }
        let after = records
        let (shown, launches) = seen(from: begin)
        let isInIsland = phone.device.screen.island != nil
        let heard = try await heard(listened + (isRunning ? started.map(\.id) : []), visible: after.map(\.id))
        return ActivityMatrixOutcome(
            states: states(id, after),
            hears: launches + heard,
            shown: shown,
            isInIsland: isInIsland,
            verdict: Verdict(phone.journeys.events(of: push)).sentence,
            story: phone.story(of: push)
        )
    }

    // MARK: Before the push

    /// Starts the activity of the case and brings it into its state; nil for a case without one.
    private func startActivity() async throws -> String? {
        guard row.activity != .none else {
            await phone.device.settled()
            return nil
        }
        let staleDate = row.activity == .stale ? phone.clock.date.addingTimeInterval(60) : nil
        let pushType: PushType = row.push.isBroadcast ? .channel(Self.channel) : .token
        let activity = try await phone.device.inside(app.bundleID) {
            try Activity.request(
                attributes: MatrixAttributes(order: "A7"),
                content: ActivityContent(state: .init(status: "baking"), staleDate: staleDate),
                pushType: pushType
            )
        }
        guard let activity else { throw Stalled(description: "The app does not run; expected it in the foreground.") }
        await phone.device.settled()
        try await wait(for: .known(activity.id), "the app hears of the activity that it has started")
        switch row.activity {
        case .none, .active: break
        case .stale: await phone.advance(by: .seconds(61))
        case .ended:
            _ = await phone.device.inside(app.bundleID) { await activity.end(nil, dismissalPolicy: .default) }
            await phone.device.settled()
        case .dismissed: await phone.dismissActivity(activity.id)
        case .off: await phone.setLiveActivities(of: app, allowed: false)
        }
        return activity.id
    }

    /// Makes the running app listen to its activities; returns their ids.
    private func listen(to records: [LiveActivityRecord]) async throws -> [String] {
        guard isRunning else { return [] }
        let ids = records.map(\.id)
        await phone.device.inside(app.bundleID) {
            for activity in Activity<MatrixAttributes>.activities where ids.contains(activity.id) {
                let token = activity.pushToken
                // It ends when the activity is dismissed, at the latest in `heard(_:visible:)`.
                Task { [log] in await log.listen(to: activity, ignoring: token) }
            }
        }
        for id in ids { try await wait(for: .listening(id), "the app listens to its activity") }
        return ids
    }

    // MARK: The push

    private func send(to id: String?) async -> String {
        let state: JSONValue = ["status": "near"]
        // The token of a case without an activity is that of one which is long gone.
        let target = id ?? "gone"
        switch row.push {
        case .start:
            let start = LiveActivityMessage.start("MatrixAttributes", attributes: ["order": "B2"], contentState: state)
            return await phone.push(liveActivity: start, startingIn: app)
        case .update: return await phone.push(liveActivity: .update(state), to: target, of: app)
        case .alert:
            var message = LiveActivityMessage.update(state)
            message.alert = ["title": "Pizza", "body": "Open the door", "sound": "default"]
            return await phone.push(liveActivity: message, to: target, of: app)
        case .end: return await phone.push(liveActivity: .end(state), to: target, of: app)
        case .endAtOnce:
            let end = LiveActivityMessage.end(state, dismissalDate: phone.clock.date.addingTimeInterval(-60))
            return await phone.push(liveActivity: end, to: target, of: app)
        case .channel: return await phone.broadcast(.update(state), in: Self.channel, of: app)
        case .channelEnd: return await phone.broadcast(.end(state), in: Self.channel, of: app)
        }
    }

    // MARK: After the push

    private var records: [LiveActivityRecord] { phone.device.activities(of: app.bundleID) }

    private var isRunning: Bool { phone.device.inside(app.bundleID) {} != nil }

    private func states(_ id: String?, _ after: [LiveActivityRecord]) -> String {
        let own = id.map { id in after.first { $0.id == id }?.state ?? .dismissed }
        let started = after.filter { $0.id != id }.map(\.state)
        let all = (own.map { [$0] } ?? []) + started
        return all.isEmpty ? "none" : all.map(\.rawValue).joined(separator: " + ")
    }

    /// The changes on the screen, and the launches of the app.
    private func seen(from begin: Int) -> (shown: [String], launches: [String]) {
        var shown: [String] = []
        var launches: [String] = []
        for event in phone.device.recentDeviceEvents.dropFirst(begin) {
            switch event.kind {
            case .activity(_, let change): shown.append(change.rawValue)
            case .activityAlerted: shown.append("alert")
            case .soundPlayed: shown.append("sound")
            case .callback(let name, let state, _): launches.append("\(name)@\(state.rawValue)")
            default: break
            }
        }
        return (shown, launches)
    }

    /// Ends the activities, with which their sequences end, and returns what came before.
    ///
    /// - Parameters:
    ///   - ids: the activities that the app listens to.
    ///   - visible: those that are dismissed only now, so that the last state is not the push's doing.
    /// - Returns: the lines of the app's log.
    /// - Throws: ``Stalled`` if a sequence does not end.
    private func heard(_ ids: [String], visible: [String]) async throws -> [String] {
        await phone.setLiveActivities(of: app, allowed: false)
        var heard: [String] = []
        for id in ids {
            try await wait(for: .ended(id), "the sequences of an activity end with it")
            var lines = log.lines(of: id)
            if visible.contains(id), lines.last == "activityStateUpdates(.dismissed)" { lines.removeLast() }
            heard += lines
        }
        return heard
    }

    private func wait(for step: ActivityMatrixLog.Step, _ expected: String) async throws {
        let limit = Duration.seconds(60)
        let made: Void? = try await withTimeout(limit) { [log] in try await log.announcement(step).value }
        if made == nil { throw Stalled(description: "Waited \(limit) until \(expected), in vain: \(row).") }
    }
}

import ActivityKit
import Foundation
import UIKit

// A ride-hailing app with Live Activities, as written for the current systems in Swift 6.

struct RideAttributes: ActivityAttributes {
    public typealias RideStatus = ContentState

    public struct ContentState: Codable, Hashable {
        enum Phase: String, Codable { case searching, approaching, riding, arrived }

        var phase: Phase
        var pickup: Date
        var driver: Driver?
    }

    struct Driver: Codable, Hashable {
        var name: String
        var plate: String
    }

    let rideID: UUID
    var destination: String
}

protocol RideBackend: Sendable {
    func register(ride: String, token: String) async
    func registerStart(token: String) async
}

@MainActor
final class RideActivityController {
    private let backend: any RideBackend
    private var observers: [String: Task<Void, Never>] = [:]
    private(set) var phase: RideAttributes.ContentState.Phase?
    private(set) var isStale = false
    private(set) var hasEnded = false

    init(backend: any RideBackend) { self.backend = backend }

    var canStart: Bool { ActivityAuthorizationInfo().areActivitiesEnabled }

    /// Call it in `application(_:didFinishLaunchingWithOptions:)`, so that a start by push finds it.
    func observe() {
        Task { [backend] in
            for await data in Activity<RideAttributes>.pushToStartTokenUpdates {
                let token = data.map { String(format: "%02x", $0) }.joined()
                await backend.registerStart(token: token)
            }
        }
        Task { [weak self] in
            for await activity in Activity<RideAttributes>.activityUpdates {
                self?.follow(activity)
            }
        }
        for activity in Activity<RideAttributes>.activities { follow(activity) }
    }

    func start(ride: UUID, to destination: String, pickup: Date) throws -> String? {
        guard canStart else { return nil }
        let attributes = RideAttributes(rideID: ride, destination: destination)
        let state = RideAttributes.RideStatus(phase: .searching, pickup: pickup, driver: nil)
        let content = ActivityContent(
            state: state,
            staleDate: Calendar.current.date(byAdding: .minute, value: 5, to: pickup)
        )
        do {
            let activity = try Activity<RideAttributes>.request(
                attributes: attributes,
                content: content,
                pushType: .token
            )
            return activity.id
        } catch ActivityAuthorizationError.visibility {
            return nil
        }
    }

    func assign(_ driver: RideAttributes.Driver, to id: String) async {
        guard let activity = Activity<RideAttributes>.activities.first(where: { $0.id == id }) else { return }
        var state = activity.content.state
        state.driver = driver
        state.phase = .approaching
        let alert = AlertConfiguration(
            title: "\(driver.name) is on the way",
            body: "Look for \(driver.plate).",
            sound: .default
        )
        await activity.update(
            ActivityContent(state: state, staleDate: nil, relevanceScore: 100),
            alertConfiguration: alert
        )
    }

    func finishAll() async {
        for activity in Activity<RideAttributes>.activities {
            var state = activity.content.state
            state.phase = .arrived
            await activity.end(.init(state: state, staleDate: .now), dismissalPolicy: .after(.now + 60 * 15))
        }
    }

    private func follow(_ activity: Activity<RideAttributes>) {
        guard observers[activity.id] == nil else { return }
        phase = activity.content.state.phase
        observers[activity.id] = Task { [backend] in
            for await data in activity.pushTokenUpdates {
                let token = data.map { String(format: "%02x", $0) }.joined()
                await backend.register(ride: activity.attributes.rideID.uuidString, token: token)
            }
        }
        Task { [weak self] in
            for await content in activity.contentUpdates { self?.phase = content.state.phase }
        }
        Task { [weak self] in
            for await state in activity.activityStateUpdates {
                self?.isStale = state == .stale
                if state == .dismissed || state == .ended { self?.hasEnded = true }
            }
        }
    }
}

package import Foundation
package import PushModel
import Synchronization

/// All apps and devices of the service in memory, as the store has them.
package final class Registry: Sendable {
    struct State {
        var apps: [AppKey: App] = [:]
        var columns: [App.ID: AudienceColumns] = [:]
        /// Tags that are known without a device.
        var keptTags: [App.ID: Set<String>] = [:]
        /// How many links each device has open.
        var links: [DeviceID: Int] = [:]
        var aliasClaims: [AliasClaim] = []
        var waiting: [(device: DeviceID, continuation: CheckedContinuation<Void, Never>)] = []

        func hasToken(_ device: DeviceID) -> Bool { columns[device.app]?.hasToken(device.ordinal) == true }
    }

    let state = Mutex(State())
    let registrationIDs: RegistrationIDCodec
    private let store: any PushStore

    /// Reads everything once.
    package init(store: any PushStore, keys: ServiceKeys) async throws {
        self.store = store
        registrationIDs = RegistrationIDCodec(keys)
        try await loadApps()
        let kept = try await store.keptTags()
        state.withLock { $0.keptTags = kept }
        try await store.devices { [self] device in apply([device]) }
    }

    func loadApps() async throws {
        let apps = try await store.apps()
        state.withLock { state in
            for app in apps { state.apps[app.key] = app }
        }
    }

    /// The app with this key; looks into the store once more if it is not known, as another process may have made it.
    package func app(_ key: AppKey) async throws -> App? {
        if let app = state.withLock({ $0.apps[key] }) { return app }
        try await loadApps()
        return state.withLock { $0.apps[key] }
    }

    package func app(_ id: App.ID) -> App? {
        state.withLock { $0.apps.values.first { $0.id == id } }
    }

    package func apply(_ devices: [Device]) {
        let woken = state.withLock { state in
            for device in devices { state.columns[device.id.app, default: AudienceColumns()].apply(device) }
            guard !state.waiting.isEmpty else { return [] as [CheckedContinuation<Void, Never>] }
            let ready = state.waiting.filter { state.hasToken($0.device) }
            state.waiting.removeAll { waiter in ready.contains { $0.device == waiter.device } }
            return ready.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    /// Returns when the device has a token, or the task is cancelled; at once for a registration id that is not of this app.
    package func awaitToken(of registrationID: RegistrationID, app: App.ID) async {
        guard let device = registrationIDs.device(of: registrationID), device.app == app else { return }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.hasToken(device) || Task.isCancelled { return true }
                    state.waiting.append((device, continuation))
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            // Whoever waits for the same device looks again, and is not worse off.
            let woken = state.withLock { state in
                let ready = state.waiting.filter { $0.device == device }
                state.waiting.removeAll { $0.device == device }
                return ready.map(\.continuation)
            }
            for continuation in woken { continuation.resume() }
        }
    }

    package func registrationID(of device: DeviceID) -> RegistrationID { registrationIDs.registrationID(of: device) }

    /// The device of an app that a registration id names; nil if there is none.
    package func device(_ registrationID: RegistrationID, of app: App.ID) -> DeviceID? {
        guard let device = registrationIDs.device(of: registrationID), device.app == app else { return nil }
        return state.withLock { $0.columns[app]?.contains(device.ordinal) == true } ? device : nil
    }

    /// Who is meant by an audience, and what can be done for them.
    package func resolve(
        _ audience: Audience,
        of app: App.ID,
        environment: APNSEnvironment,
        at date: Date
    ) -> Resolution {
        state.withLock { state in
            guard let columns = state.columns[app] else { return Resolution() }
            var resolution = Resolution()
            let members = columns.members(of: audience, at: date) { id in
                registrationIDs.device(of: id).flatMap { $0.app == app ? $0.ordinal : nil }
            }
            for ordinal in members { resolution.add(ordinal, in: columns, environment: environment) }
            return resolution
        }
    }

    /// The devices to which a message goes, in the order of `ordinals`; the token is nil where there is none any more, or
    /// none of the environment.
    package func targets(
        _ ordinals: some Sequence<DeviceOrdinal>,
        of app: App.ID,
        environment: APNSEnvironment
    )
        -> [Target]
    {
        state.withLock { state in
            guard let columns = state.columns[app] else { return [] }
            return ordinals.map { ordinal in
                let fits = columns.environment(of: ordinal) == environment
                return Target(
                    ordinal: ordinal,
                    token: fits ? columns.token(of: ordinal) : nil,
                    badge: columns.badge(of: ordinal)
                )
            }
        }
    }

    package func environment(of device: DeviceID) -> APNSEnvironment? {
        state.withLock { state in
            guard let columns = state.columns[device.app], columns.contains(device.ordinal) else { return nil }
            return columns.environment(of: device.ordinal)
        }
    }
}

/// An audience, by what can be done for its devices. Each list is in rising order.
package struct Resolution: Hashable, Sendable {
    package var reachable: [DeviceOrdinal] = []
    package var inOtherEnvironment: [DeviceOrdinal] = []
    package var withoutToken: [DeviceOrdinal] = []

    package var isEmpty: Bool { reachable.isEmpty && inOtherEnvironment.isEmpty && withoutToken.isEmpty }

    /// Takes a device in, behind those before it.
    mutating func add(_ ordinal: DeviceOrdinal, in columns: AudienceColumns, environment: APNSEnvironment) {
        if columns.environment(of: ordinal) != environment {
            inOtherEnvironment.append(ordinal)
        } else if !columns.hasToken(ordinal) {
            withoutToken.append(ordinal)
        } else {
            reachable.append(ordinal)
        }
    }
}

/// One device of a step.
package struct Target: Hashable, Sendable {
    package var ordinal: DeviceOrdinal
    package var token: DeviceToken?
    package var badge: Int
}

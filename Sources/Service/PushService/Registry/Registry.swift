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
        var importedIDs: [App.ID: ImportedIDs] = [:]
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
        try await store.audience { [self] rows in
            state.withLock { $0.columns[rows.app, default: AudienceColumns()].apply(rows) }
        }
        try await store.importedIDs { [self] ids in apply(ids) }
    }

    func loadApps() async throws {
        let apps = try await store.apps()
        state.withLock { state in
            for app in apps { state.apps[app.key] = app }
        }
    }

    /// The app with this key; looks into the store once more if it is not known, as another process may have made it.
    package func app(_ key: AppKey) async throws -> App? {
        if let app = knownApp(key) { return app }
        try await loadApps()
        return knownApp(key)
    }

    /// The app with this key, if it has been heard of.
    package func knownApp(_ key: AppKey) -> App? { state.withLock { $0.apps[key] } }

    package func app(_ id: App.ID) -> App? {
        state.withLock { $0.apps.values.first { $0.id == id } }
    }

    package func apply(_ devices: [Device]) {
        let woken = state.withLock { state in
            for device in devices {
                state.columns[device.id.app, default: AudienceColumns()].apply(device.audienceEntry)
            }
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
        state.withLock { state in
            guard let ordinal = state.ordinal(of: registrationID, app: app, registrationIDs),
                state.columns[app]?.contains(ordinal) == true
            else { return nil }
            return DeviceID(app: app, ordinal: ordinal)
        }
    }

    /// Who is meant by an audience, and what can be done for them.
    package func resolve(
        _ audience: Audience,
        of app: App.ID,
        environment: APNSEnvironment,
        at date: Date
    ) -> Resolution {
        state.withLock { state in
            let registered: [DeviceOrdinal] =
                if case .filter(let filter) = audience {
                    filter.registrationIDs.compactMap { state.ordinal(of: $0, app: app, registrationIDs) }
                } else {
                    []
                }
            return state.columns[app]?.resolve(audience, registered: registered, environment: environment, at: date)
                ?? Resolution()
        }
    }

    /// The devices to which a message goes, in the order of `ordinals`; the token is nil where there is none any more, or
    /// none of the environment.
    package func targets(
        _ ordinals: ArraySlice<DeviceOrdinal>,
        of app: App.ID,
        environment: APNSEnvironment
    ) -> Targets {
        // A push may wait for devices that are deleted since: after a restart for an app without any.
        state.withLock { ($0.columns[app] ?? AudienceColumns()).targets(ordinals, environment) }
    }

    /// Whether push is switched off on the device.
    package func isStopped(_ device: DeviceID) -> Bool {
        state.withLock { $0.columns[device.app]?.stopped.contains(Int(device.ordinal)) == true }
    }

    package func environment(of device: DeviceID) -> APNSEnvironment? {
        state.withLock { state in
            guard let columns = state.columns[device.app], columns.contains(device.ordinal) else { return nil }
            return columns.environment(of: device.ordinal)
        }
    }
}

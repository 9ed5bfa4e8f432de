import PushClock
import PushModel
import Synchronization

/// The in-memory devices of one app, behind their own lock, so that requests for other apps do not wait.
final class AppDevices: Sendable {
    struct State {
        var columns = AudienceColumns()
        /// The number of open links of each device.
        var links: [DeviceOrdinal: Int] = [:]
        /// The places under each alias that requests have claimed.
        var aliasClaims: [ExactText: ClaimedPlaces] = [:]
        /// The new tags for which requests have claimed places while the store is still writing, by who brings them, with the number of
        /// their claims.
        var tagClaims: [TagOrigin: [ExactText: Int]] = [:]
        var importedIDs = ImportedIDs()
        /// The app's segments by name.
        var segments: [ExactText: Segment] = [:]
        /// The number of the registry's read that the segments are from.
        var segmentsRead = 0
        /// The tokens that callers wait for.
        var awaited: [DeviceOrdinal: Announcement<Void>] = [:]

        /// The announcement of a device's token; nil if it has one.
        fileprivate mutating func token(of ordinal: DeviceOrdinal) -> Announcement<Void>? {
            guard !columns.hasToken(ordinal) else { return nil }
            if let token = awaited[ordinal] { return token }
            let token = Announcement<Void>()
            awaited[ordinal] = token
            return token
        }
    }

    let state = Mutex(State())

    /// The number of devices applied under one lock.
    private static let slice = 256
    /// The number of new devices applied under one lock, which takes less time for each.
    private static let rowsAtOnce = 512

    /// Applies the store's state of devices, unless a newer one is known.
    func apply(_ devices: some Collection<AudienceEntry>) {
        var rest = devices[...]
        while !rest.isEmpty {
            let here = rest.prefix(Self.slice)
            rest = rest.dropFirst(here.count)
            change(here.lazy.map(\.id.ordinal)) { $0.apply(here) }
        }
    }

    /// Applies devices that the store has created together, of which nothing is known as a rule.
    func add(_ devices: [RegisteredDevice], of app: App.ID) {
        var rows = AudienceRows(app: app)
        for here in devices.slices(of: Self.rowsAtOnce) {
            rows.removeAll()
            for device in here { rows.add(device) }
            let names = AudienceColumns.Names(rows)
            let attributes = here.filter { !$0.attributes.isEmpty }.map { device in
                StoredAttributes(device.id.ordinal, version: device.version, device.attributes)
            }
            change(here.lazy.map(\.id.ordinal)) { columns in
                columns.apply(rows, names)
                columns.apply(attributes)
            }
        }
    }

    /// Changes the columns of devices, and tells those who wait for their tokens.
    private func change(_ ordinals: some Collection<DeviceOrdinal>, _ body: (inout AudienceColumns) -> Void) {
        let arrived = state.withLock { state in
            body(&state.columns)
            guard !state.awaited.isEmpty else { return [] as [Announcement<Void>] }
            return ordinals.compactMap { ordinal in
                state.columns.hasToken(ordinal) ? state.awaited.removeValue(forKey: ordinal) : nil
            }
        }
        for token in arrived { token.make(.success(())) }
    }

    /// Returns when the device has a token, or the task is cancelled.
    func awaitToken(of ordinal: DeviceOrdinal) async {
        guard let token = state.withLock({ $0.token(of: ordinal) }) else { return }
        do { try await token.value } catch {
            // Cancelled. Other callers waiting for the same device just check again.
            state.withLock { $0.awaited.removeValue(forKey: ordinal) }?.make(.success(()))
        }
    }
}

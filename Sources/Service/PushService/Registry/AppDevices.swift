import Foundation
import PushModel
import Synchronization

/// The in-memory devices of one app, behind their own lock, so that requests for other apps do not wait.
final class AppDevices: Sendable {
    struct State {
        var columns = AudienceColumns()
        /// Tags that are known even if no device has them.
        var keptTags = TagNames()
        /// The number of open links of each device.
        var links: [DeviceOrdinal: Int] = [:]
        /// For each alias, the devices that have claimed a place while the store is still writing, and the number of their claims.
        var aliasClaims: [String: [DeviceOrdinal: Int]] = [:]
        var importedIDs = ImportedIDs()
        /// Callers waiting for a device to get a token.
        var waiting: [DeviceOrdinal: [CheckedContinuation<Void, Never>]] = [:]
    }

    let state = Mutex(State())

    /// The number of devices applied under one lock.
    private static let slice = 256

    /// Applies the store's state of devices, unless a newer one is known.
    func apply(_ devices: ArraySlice<RegisteredDevice>) {
        var rest = devices
        while !rest.isEmpty {
            let here = rest.prefix(Self.slice)
            rest = rest.dropFirst(here.count)
            let woken = state.withLock { state in
                state.columns.apply(here.lazy.map(\.audienceEntry))
                guard !state.waiting.isEmpty else { return [] as [CheckedContinuation<Void, Never>] }
                return here.map(\.id.ordinal).flatMap { ordinal in
                    state.columns.hasToken(ordinal) ? state.waiting.removeValue(forKey: ordinal) ?? [] : []
                }
            }
            for continuation in woken { continuation.resume() }
        }
    }

    /// Returns when the device has a token, or the task is cancelled.
    func awaitToken(of ordinal: DeviceOrdinal) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.columns.hasToken(ordinal) || Task.isCancelled { return true }
                    state.waiting[ordinal, default: []].append(continuation)
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            // Other callers waiting for the same device just check again.
            let woken = state.withLock { $0.waiting.removeValue(forKey: ordinal) ?? [] }
            for continuation in woken { continuation.resume() }
        }
    }
}

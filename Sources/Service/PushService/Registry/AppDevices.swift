import Foundation
import PushModel
import Synchronization

/// The devices of one app in memory, behind a lock of their own: nobody who asks for another app waits for it.
final class AppDevices: Sendable {
    struct State {
        var columns = AudienceColumns()
        /// Tags that are known without a device.
        var keptTags = TagNames()
        /// The number of open links of each device.
        var links: [DeviceOrdinal: Int] = [:]
        /// For each alias, the devices that have claimed a place while the store still writes, and how often each has.
        var aliasClaims: [String: [DeviceOrdinal: Int]] = [:]
        var importedIDs = ImportedIDs()
        /// Callers that wait for a device to get a token.
        var waiting: [DeviceOrdinal: [CheckedContinuation<Void, Never>]] = [:]
    }

    let state = Mutex(State())

    /// Devices that are taken over while nobody else can look.
    private static let slice = 256

    /// Takes over what the store says of devices, unless something newer is known already.
    func apply(_ devices: ArraySlice<Device>) {
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
            // Whoever waits for the same device looks again, and is not worse off.
            let woken = state.withLock { $0.waiting.removeValue(forKey: ordinal) ?? [] }
            for continuation in woken { continuation.resume() }
        }
    }
}

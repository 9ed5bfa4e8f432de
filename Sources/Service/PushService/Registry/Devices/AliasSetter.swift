import Foundation
import PushModel

/// Gives aliases to devices: takes a place under the alias, and takes it from devices that have to make room.
struct AliasSetter: Sendable {
    let store: any DeviceStore
    let registry: Registry
    /// Nil for a service that is alone.
    let others: OtherNodes?

    /// Changes a device, which has the alias of the claim then, and adds tags that stay known without a device.
    ///
    /// - Returns: the device; nil if there is none.
    /// - Throws: ``AliasIsFull`` if there is no place, or the error of `change`; then nothing has changed.
    @discardableResult
    func change(
        _ id: DeviceID,
        claiming claim: AliasClaim,
        keepingTags tags: [String] = [],
        at date: Date,
        _ change: @escaping @Sendable (inout RegisteredDevice) throws -> Void
    ) async throws -> RegisteredDevice? {
        guard let place = registry.claim(claim, for: id, at: date) else { throw AliasIsFull(claim.alias) }
        defer { registry.release(place) }
        let changed =
            if let others {
                try await others.store.updateDevice(id, keepingTags: tags, claiming: claim, change)
            } else {
                // A device that has the alias already is among those that stay as they are.
                try await store.updateDevices([id.ordinal] + place.losers, of: id.app, keepingTags: tags) { device in
                    if device.id == id { try change(&device) } else { device.lose(claim.alias) }
                }
            }
        registry.apply(changed)
        if let device = changed.first(where: { $0.id == id }) { return device }
        return others == nil ? try await store.device(id) : nil
    }
}

extension RegisteredDevice {
    /// Removes an alias from a device that has it.
    package mutating func lose(_ alias: String) { if self.alias?.isSame(as: alias) == true { self.alias = nil } }
}

package import Foundation
import PushClock
package import PushModel

/// Reads and changes devices for their app's backend.
package struct DeviceController: Sendable {
    let store: any DeviceStore
    let registry: Registry
    let clock: any CivilClock
    var others: OtherNodes?

    package var now: Date { clock.date }

    /// Returns a device.
    ///
    /// - Throws: 7002 for a registration id that no device of the app has.
    package func device(_ registrationID: String, of app: App.ID) async throws -> RegisteredDevice {
        try await lookUp(registrationID, of: app)
        guard let device = try await store.device(try id(registrationID, of: app)) else {
            throw unknown(registrationID)
        }
        return device
    }

    /// Changes a device in one transaction. When this returns, the change is on disk.
    ///
    /// - Throws: 7002 for a registration id that no device of the app has, or too many tags of the device or the app; 7015 for an alias that the maximum
    ///   number of other devices already have.
    package func change(_ registrationID: String, of app: App.ID, _ change: DeviceChange) async throws {
        try await lookUp(registrationID, of: app)
        let device = try id(registrationID, of: app)
        var claim: AliasClaim?
        if case .set(let alias) = change.alias {
            // The backend does not see who has an alias that anyone may set, so it is told of a full one, as by JPush.
            let room: AliasClaim.Room = registry.app(app)?.aliases.policy == .anyone ? .nobody : .unproved
            claim = AliasClaim(alias, at: clock.date, isProved: true, room: room)
        }
        do { try await apply(change, to: device, claim) } catch let error as AliasIsFull {
            throw JPushError.aliasIsFull(error.alias)
        }
    }

    private func apply(_ change: DeviceChange, to device: DeviceID, _ claim: AliasClaim?) async throws {
        var made: [String] = []
        if case .edit(_, let add) = change.tags { made = add }
        let app = device.app
        let tags = try claimTags(made, of: app)
        defer { registry.release(tags) }
        let edit: @Sendable (inout RegisteredDevice) throws -> Void = { device in
            if let edit = change.tags { device.tags = try edit.tags(after: device.tags) }
            device.setAlias(change.alias.text(after: device.alias), isProved: claim != nil)
            device.mobile = change.mobile.text(after: device.mobile)
            if let edit = change.attributes { device.attributes = try edit.attributes(after: device.attributes) }
        }
        if let claim {
            let setter = AliasSetter(store: store, registry: registry, others: others)
            try await setter.change(device, claiming: claim, keepingTags: made, at: clock.date, edit)
        } else {
            registry.apply(try await store.updateDevices([device.ordinal], of: app, keepingTags: made, edit))
        }
        registry.add(made, of: app)
    }

    /// Claims places for new tags of the app.
    ///
    /// - Throws: 7002 for more tags than an app may have.
    func claimTags(_ tags: [String], of app: App.ID) throws(JPushError) -> TagClaim {
        do { return try registry.claim(tags, from: .backend, of: app) } catch {
            throw JPushError.badDeviceParameter("\(error)")
        }
    }

    /// Returns the presence of devices in the order of their registration ids, without unknown ones.
    package func presence(of registrationIDs: [String], app: App.ID) -> [(registrationID: String, presence: Presence)] {
        let now = clock.date
        return registrationIDs.compactMap { text in
            find(text, of: app).map { (text, registry.presence(of: $0, at: now)) }
        }
    }

    /// Returns the same as ``presence(of:app:)``, including links to other nodes.
    package func presenceAnywhere(
        of registrationIDs: [String],
        app: App.ID
    ) async throws -> [(registrationID: String, presence: Presence)] {
        let found = presence(of: registrationIDs, app: app)
        let offline = found.filter { $0.presence != .online }.compactMap { find($0.registrationID, of: app) }
        guard let linked = try await others?.linked(offline), !linked.isEmpty else { return found }
        return found.map { text, presence in
            (text, find(text, of: app).map(linked.contains) == true ? .online : presence)
        }
    }

    /// A device with an alias.
    package struct AliasHolder: Hashable, Sendable {
        package var registrationID: RegistrationID
        package var lastSeen: Date
    }

    /// Returns the active devices with an alias in the order of their first registration, up to the limit of an alias.
    package func holders(ofAlias alias: String, app: App.ID) -> [AliasHolder] {
        let now = clock.date
        return registry.devices(withAlias: alias, of: app, activeAt: now).prefix(JPushLimits.devicesPerAlias).map {
            device in
            let id = registry.name(of: device)
            guard case .offline(let seen) = registry.presence(of: device, at: now) else {
                return AliasHolder(registrationID: id, lastSeen: now)
            }
            return AliasHolder(registrationID: id, lastSeen: seen)
        }
    }

    /// Looks up a device that another node may have registered a moment ago.
    private func lookUp(_ registrationID: String, of app: App.ID) async throws {
        if let id = RegistrationID(registrationID) { try await others?.lookUp(id, of: app) }
    }

    /// Returns the device with this registration id; nil if the app has none.
    func find(_ registrationID: String, of app: App.ID) -> DeviceID? {
        RegistrationID(registrationID).flatMap { registry.device($0, of: app) }
    }

    func id(_ registrationID: String, of app: App.ID) throws(JPushError) -> DeviceID {
        guard let device = find(registrationID, of: app) else { throw unknown(registrationID) }
        return device
    }

    private func unknown(_ registrationID: String) -> JPushError {
        .badDeviceParameter("No device of this app has the registration id '\(registrationID)'.")
    }

    /// Returns all named devices.
    ///
    /// - Throws: 7013 if the app does not have some of them, 7002 if it has none.
    func ids(_ registrationIDs: [String], of app: App.ID) throws(JPushError) -> [DeviceOrdinal] {
        let found = registrationIDs.map { find($0, of: app)?.ordinal }
        let illegal = zip(registrationIDs, found).filter { $0.1 == nil }.map(\.0)
        guard illegal.isEmpty else { throw .illegalRegistrationIDs(illegal, among: registrationIDs.count) }
        return found.compactMap { $0 }
    }
}

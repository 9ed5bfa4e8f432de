package import Foundation
package import PushModel
package import PushService

/// Decides what the rows of a device file change, from the devices and ids that they are about.
package struct DeviceIntake {
    let app: App.ID
    let environment: APNSEnvironment
    /// The unguessable part of the installation ids of new devices.
    let installation: String
    let date: Date
    /// The known devices that rows may be about, by ordinal.
    package private(set) var devices: [DeviceOrdinal: RegisteredDevice]
    /// The imported ids of these devices, and those that rows name.
    package private(set) var ids: [RegistrationID: ImportedID]
    /// The ordinals for new devices: one for each row suffices.
    private var ordinals: Range<Int64>
    package private(set) var result = ImportResult()
    /// The devices to write, by ordinal.
    package private(set) var changed: Set<DeviceOrdinal> = []
    private var holders: [DeviceToken: Set<DeviceOrdinal>] = [:]
    /// The devices with the aliases that rows set; empty if the caller has checked that there is room.
    private var aliasHolders: [ExactText: Set<DeviceOrdinal>]

    package init(
        app: App.ID,
        environment: APNSEnvironment,
        installation: String,
        date: Date,
        devices: [RegisteredDevice],
        ids: [ImportedID],
        ordinals: Range<Int64>,
        holders aliasHolders: [ExactText: Set<DeviceOrdinal>] = [:]
    ) {
        self.app = app
        self.environment = environment
        self.installation = installation
        self.date = date
        self.devices = Dictionary(devices.map { ($0.id.ordinal, $0) }, uniquingKeysWith: { first, _ in first })
        self.ids = Dictionary(ids.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        self.ordinals = ordinals
        self.aliasHolders = aliasHolders
        for device in devices { if let token = device.token { holders[token, default: []].insert(device.id.ordinal) } }
    }

    /// Adds a row of the file, the one with this index.
    package mutating func add(_ row: DeviceImport, own: DeviceOrdinal?, index: Int) {
        let named = own ?? row.registrationID.flatMap { ids[$0]?.device.ordinal }
        let holder = holders[row.token]?.min()
        guard hasPlace(row.newAlias, for: holder ?? named) else { return result.withFullAlias.append(index) }
        guard let device = (named ?? holder).flatMap({ devices[$0] }) else { return create(row) }
        guard device.isImported else {
            if named == nil {
                lead(row.registrationID, to: device, isName: false)
            } else if own == nil, let holder, holder != named, let other = devices[holder] {
                // The app was reinstalled: of two devices that have had the token, the file means the current one.
                lead(row.registrationID, to: other, isName: other.isImported)
            }
            result.outcomes.append(.kept)
            return
        }
        if let named, let holder, holder != named, let other = devices[holder] {
            // The id has moved to another token, which belongs to another device.
            leave(device)
            lead(row.registrationID, to: other, isName: other.isImported)
            guard other.isImported else { return result.outcomes.append(.kept) }
            _ = update(other, row)
            return result.outcomes.append(.updated)
        }
        if named == nil { lead(row.registrationID, to: device, isName: true) }
        let isUpdated = update(device, row)
        result.outcomes.append(isUpdated || (named == nil && row.registrationID != nil) ? .updated : .unchanged)
    }

    /// Returns whether a device may have an alias. A device that does not exist yet has none.
    private func hasPlace(_ alias: String?, for ordinal: DeviceOrdinal?) -> Bool {
        guard let alias, let known = aliasHolders[ExactText(alias)], known.count >= JPushLimits.devicesPerAlias else {
            return true
        }
        return ordinal.map(known.contains) ?? false
    }

    private mutating func create(_ row: DeviceImport) {
        let ordinal = DeviceOrdinal(truncatingIfNeeded: ordinals.lowerBound)
        ordinals = ordinals.dropFirst()
        var device = RegisteredDevice(
            id: DeviceID(app: app, ordinal: ordinal),
            // Ids are in the order of the devices, so their index grows at one end only.
            installation: "import-" + String(ordinal + 0x1000_0000, radix: 16) + "-" + installation,
            // No secret has this hash.
            secretHash: SecretHash(bytes: []),
            environment: environment,
            // The registration date is unknown, so any report of APNs that the token is gone is newer.
            tokenRegisteredAt: Date(timeIntervalSince1970: 0),
            lastSeen: date
        )
        device.registeredAt = date
        device.apply(row, environment: environment, seenAt: date)
        save(&device)
        lead(row.registrationID, to: device, isName: true)
        result.outcomes.append(.created)
    }

    /// - Returns: whether the row contains a change.
    private mutating func update(_ device: RegisteredDevice, _ row: DeviceImport) -> Bool {
        var changed = device
        changed.apply(row, environment: environment, seenAt: date)
        guard changed != device else { return false }
        var old = device
        old.lastSeen = changed.lastSeen
        let isNews = changed != old
        save(&changed)
        return isNews
    }

    /// Retires a device if the id that is being removed is its only one.
    private mutating func leave(_ device: RegisteredDevice) {
        guard ids.values.count(where: { $0.device == device.id }) == 1 else { return }
        var retired = device
        retired.retire()
        save(&retired)
    }

    private mutating func save(_ device: inout RegisteredDevice) {
        let ordinal = device.id.ordinal
        if let token = devices[ordinal]?.token { holders[token]?.remove(ordinal) }
        if let token = device.token { holders[token, default: []].insert(ordinal) }
        if let alias = devices[ordinal]?.alias { aliasHolders[ExactText(alias)]?.remove(ordinal) }
        if let alias = device.alias { aliasHolders[ExactText(alias), default: []].insert(ordinal) }
        device.version += 1
        devices[ordinal] = device
        changed.insert(ordinal)
        result.devices.append(device)
    }

    private mutating func lead(_ id: RegistrationID?, to device: RegisteredDevice, isName: Bool) {
        guard let id else { return }
        let entry = ImportedID(id: id, device: device.id, isName: isName)
        ids[id] = entry
        result.ids.append(entry)
    }
}

extension DeviceImport {
    /// The alias that the row sets; nil if it sets none.
    package var newAlias: String? {
        guard case .set(let alias) = alias else { return nil }
        return alias
    }
}

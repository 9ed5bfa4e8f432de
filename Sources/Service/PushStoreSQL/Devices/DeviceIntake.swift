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
    /// The devices that more than one row may be about, by ordinal: those that were known, and those of rows that are not alone.
    private var devices: [DeviceOrdinal: RegisteredDevice]
    /// The imported ids of these devices, and those that rows name.
    private var ids: [RegistrationID: ImportedID]
    /// The ordinals for new devices: one for each row suffices.
    private var ordinals: Range<Int64>
    package private(set) var result = ImportResult()
    /// The changes of ``devices`` and ``ids``.
    private var changed: Set<DeviceOrdinal> = []
    private var changedIDs: Set<RegistrationID> = []
    private var holders: [DeviceToken: Set<DeviceOrdinal>] = [:]
    /// The devices with the aliases that rows set; nil if the caller has checked that there is room.
    private var aliasHolders: [ExactText: Set<DeviceOrdinal>]?

    package init(
        app: App.ID,
        environment: APNSEnvironment,
        installation: String,
        date: Date,
        devices: [RegisteredDevice],
        ids: [ImportedID],
        ordinals: Range<Int64>,
        holders aliasHolders: [ExactText: Set<DeviceOrdinal>]? = nil
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

    /// Decides all rows of the file, one after the other.
    package mutating func add(_ rows: [(row: DeviceImport, own: DeviceOrdinal?)]) {
        result.outcomes.reserveCapacity(rows.count)
        result.devices.reserveCapacity(rows.count)
        let repeated = Repeated(rows.lazy.map(\.row))
        for (index, (row, own)) in rows.enumerated() {
            if own == nil, !isKnown(row), !repeated.contains(row) {
                addAlone(row, index)
            } else {
                add(row, own: own, index: index)
            }
        }
    }

    /// The devices to write, each once.
    package var changes: [RegisteredDevice] {
        // Usually all rows are alone.
        if devices.isEmpty { return result.devices }
        return changed.sorted().compactMap { devices[$0] } + result.devices.filter { devices[$0.id.ordinal] == nil }
    }

    /// The imported ids to write, each once.
    package var idChanges: [ImportedID] {
        if ids.isEmpty { return result.ids }
        return changedIDs.compactMap { ids[$0] } + result.ids.filter { ids[$0.id] == nil }
    }

    /// Whether a device that was known when the rows came may be the row's.
    private func isKnown(_ row: DeviceImport) -> Bool {
        (!holders.isEmpty && holders[row.token] != nil) || (row.registrationID.map { ids[$0] != nil } ?? false)
    }

    /// Adds a row with a token and an id that neither a known device nor another row has.
    private mutating func addAlone(_ row: DeviceImport, _ index: Int) {
        guard hasPlace(row.newAlias, for: nil) else { return result.withFullAlias.append(index) }
        var device = newDevice(row)
        device.version += 1
        if aliasHolders != nil, let alias = device.alias {
            aliasHolders?[ExactText(alias), default: []].insert(device.id.ordinal)
        }
        result.devices.append(device)
        result.outcomes.append(.created)
        if let id = row.registrationID { result.ids.append(ImportedID(id: id, device: device.id, isName: true)) }
    }

    private mutating func add(_ row: DeviceImport, own: DeviceOrdinal?, index: Int) {
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
        guard let aliasHolders, let alias, let known = aliasHolders[ExactText(alias)],
            known.count >= JPushLimits.devicesPerAlias
        else { return true }
        return ordinal.map(known.contains) ?? false
    }

    private mutating func create(_ row: DeviceImport) {
        var device = newDevice(row)
        save(&device)
        lead(row.registrationID, to: device, isName: true)
        result.outcomes.append(.created)
    }

    private mutating func newDevice(_ row: DeviceImport) -> RegisteredDevice {
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
        return device
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
        if aliasHolders != nil {
            if let alias = devices[ordinal]?.alias { aliasHolders?[ExactText(alias)]?.remove(ordinal) }
            if let alias = device.alias { aliasHolders?[ExactText(alias), default: []].insert(ordinal) }
        }
        device.version += 1
        devices[ordinal] = device
        changed.insert(ordinal)
        result.devices.append(device)
    }

    private mutating func lead(_ id: RegistrationID?, to device: RegisteredDevice, isName: Bool) {
        guard let id else { return }
        let entry = ImportedID(id: id, device: device.id, isName: isName)
        ids[id] = entry
        changedIDs.insert(id)
        result.ids.append(entry)
    }
}

/// The tokens and ids that more than one row of a file has.
private struct Repeated {
    private var tokens: Set<DeviceToken> = []
    private var ids: Set<RegistrationID> = []

    init(_ rows: some Collection<DeviceImport>) {
        var seen = Set<DeviceToken>(minimumCapacity: rows.count)
        var seenIDs: Set<RegistrationID> = []
        for row in rows {
            if !seen.insert(row.token).inserted { tokens.insert(row.token) }
            if let id = row.registrationID, !seenIDs.insert(id).inserted { ids.insert(id) }
        }
    }

    func contains(_ row: DeviceImport) -> Bool {
        (!tokens.isEmpty && tokens.contains(row.token))
            || (!ids.isEmpty && row.registrationID.map(ids.contains) ?? false)
    }
}

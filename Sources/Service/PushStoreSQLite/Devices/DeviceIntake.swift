import Foundation
import GRDB
import PushModel
import PushService

/// Imports rows of a device file, within one transaction.
struct DeviceIntake {
    let writer: DeviceWriter
    let app: App.ID
    let environment: APNSEnvironment
    /// The unguessable part of the installation ids of new devices.
    let installation: String
    let date: Date
    private(set) var result = ImportResult()
    private var next: DeviceOrdinal?

    private var database: Database { writer.database }

    init(writer: DeviceWriter, app: App.ID, environment: APNSEnvironment, installation: String, date: Date) {
        self.writer = writer
        self.app = app
        self.environment = environment
        self.installation = installation
        self.date = date
    }

    mutating func add(_ row: DeviceImport, own: DeviceOrdinal?) throws {
        let named = try own ?? row.registrationID.flatMap { try ordinal(of: $0) }
        let holder = try holder(of: row.token)
        guard let device = try (named ?? holder).flatMap({ try device($0) }) else {
            return try create(row)
        }
        guard device.isImported else {
            if named == nil {
                try lead(row.registrationID, to: device, isName: false)
            } else if own == nil, let holder, holder != named, let other = try self.device(holder) {
                // The app was reinstalled: of two devices that have had the token, the file means the current one.
                try lead(row.registrationID, to: other, isName: other.isImported)
            }
            result.outcomes.append(.kept)
            return
        }
        if let named, let holder, holder != named, let other = try self.device(holder) {
            // The id has moved to another token, which belongs to another device.
            try leave(device)
            try lead(row.registrationID, to: other, isName: other.isImported)
            guard other.isImported else { return result.outcomes.append(.kept) }
            _ = try update(other, row)
            return result.outcomes.append(.updated)
        }
        if named == nil { try lead(row.registrationID, to: device, isName: true) }
        let isUpdated = try update(device, row)
        result.outcomes.append(isUpdated || (named == nil && row.registrationID != nil) ? .updated : .unchanged)
    }

    private mutating func create(_ row: DeviceImport) throws {
        let ordinal = try next ?? SQLiteStore.nextOrdinal(of: app, in: database)
        next = ordinal + 1
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
        device.apply(row, environment: environment, seenAt: date)
        try save(&device)
        try lead(row.registrationID, to: device, isName: true)
        result.outcomes.append(.created)
    }

    /// - Returns: whether the row contains a change.
    private mutating func update(_ device: RegisteredDevice, _ row: DeviceImport) throws -> Bool {
        var changed = device
        changed.apply(row, environment: environment, seenAt: date)
        guard changed != device else { return false }
        let isNews = !changed.isEqual(to: device, besidesSeenAt: changed.lastSeen)
        try save(&changed)
        return isNews
    }

    /// Retires a device if the id that is being removed is its only one.
    private mutating func leave(_ device: RegisteredDevice) throws {
        let ids = try Int.fetchOne(
            database,
            sql: "SELECT count(*) FROM importedID WHERE app = ? AND ordinal = ?",
            arguments: [app, device.id.ordinal]
        )
        guard ids == 1 else { return }
        var retired = device
        retired.retire()
        try save(&retired)
    }

    private mutating func save(_ device: inout RegisteredDevice) throws {
        device.version += 1
        try writer.write(device)
        result.devices.append(device)
    }

    private mutating func lead(_ id: RegistrationID?, to device: RegisteredDevice, isName: Bool) throws {
        guard let id else { return }
        try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO importedID (app, id, ordinal, isName) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [app, id.text, device.id.ordinal, isName])
        result.ids.append(ImportedID(id: id, device: device.id, isName: isName))
    }

    private func ordinal(of id: RegistrationID) throws -> DeviceOrdinal? {
        let statement = try database.cachedStatement(sql: "SELECT ordinal FROM importedID WHERE app = ? AND id = ?")
        return try DeviceOrdinal.fetchOne(statement, arguments: [app, id.text])
    }

    private func holder(of token: DeviceToken) throws -> DeviceOrdinal? {
        try writer.tokens.holders(of: token, app: app, in: database).first
    }

    private func device(_ ordinal: DeviceOrdinal) throws -> RegisteredDevice? {
        try SQLiteStore.device(DeviceID(app: app, ordinal: ordinal), in: database)
    }
}

extension RegisteredDevice {
    /// Returns whether nothing but the time of the last activity has changed.
    fileprivate func isEqual(to other: RegisteredDevice, besidesSeenAt date: Date) -> Bool {
        var other = other
        other.lastSeen = date
        return self == other
    }
}

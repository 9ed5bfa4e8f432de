package import DeviceLink
import Foundation
import Logging
import PushClock
package import PushModel

/// The rights of a device: to register, report its starts, make requests, read its custom messages, and unregister.
///
/// The SDK link and the HTTP calls of devices both end here, so they have the same rules, codes, limits and records.
package struct RegistrationController: Sendable {
    let store: any DeviceStore & ReportStore & RetentionStore & TopicStore
    let registry: Registry
    let others: OtherNodes?
    let clock: any CivilClock
    let calendar: UseCalendar
    let logger: Logger
    let router: MessageRouter
    let acceptor: PushAcceptor
    let journeyWatch: JourneyWatch
    let spans: JourneySpans?
    let registrations: RegistrationRates
    let calls: RegistrationRates
    let settings: Adjustable<ServiceSettings>
    let rates = CallRates()

    /// The maximum length of a registration, or of a frame before the login, in bytes.
    package static let unauthenticatedBytes = 4096
    /// The seconds after which a request that was too frequent may be repeated.
    package static let retryAfter = 10
    /// The number of calls for each registration that an address may make.
    package static let callsPerRegistration = 10
    /// The maximum length of each text that a device sends about itself, in bytes.
    private static let fieldBytes = 256
    /// The maximum length of the name of a time zone or a language, in bytes.
    private static let nameBytes = 64

    /// Registers an installation of an app, which gets a new secret, and the same registration id as before. Further data
    /// is kept if nil; tokens are recorded with it. The network that it comes from may be unknown.
    package func register(
        _ registration: SDKRegistration,
        with requests: [SDKRequest] = [],
        from network: String?
    ) async throws -> Registered {
        try Self.check(registration)
        try Self.check(requests)
        let app = try await app(registration.appKey)
        guard app.bundleID == registration.bundleID else {
            throw RegistrationRefusal(1009, "The app key does not belong to this bundle id.")
        }
        guard countRegistration(of: app, from: network) else {
            throw RegistrationRefusal(6011, "Too many devices register from this address; wait a minute.")
        }
        var generator = SystemRandomNumberGenerator()
        let secret = generator.hexadecimalDigits(32)
        let device = try await save(registration, secret: secret, of: app)
        registry.apply([device])
        if let former = registration.former { try await separate(former, from: device.id) }
        try await carryOut(requests, for: device.id)
        return Registered(
            device: device.id,
            registrationID: registry.registrationID(of: device.id),
            secret: secret,
            state: RegistrationState(device, after: requests)
        )
    }

    /// Notes at a device that another phone, which had its registration from a backup, is a device of its own now. One whose secret is
    /// another is no reason to refuse a registration.
    private func separate(_ former: SDKRegistration.Former, from device: DeviceID) async throws {
        guard let id = RegistrationID(former.registrationID).flatMap({ registry.device($0, of: device.app) }),
            id != device, try await store.device(id)?.secretHash.matches(former.secret) == true
        else { return }
        let separation = RegisteredDevice.Separation(date: clock.date, ordinal: device.ordinal)
        let changed = try await store.updateDevice(id) { $0.separation = separation }
        registry.apply([changed].compactMap(\.self))
    }

    private func save(
        _ registration: SDKRegistration,
        secret: String,
        of app: App
    ) async throws -> RegisteredDevice {
        let zone = Self.known(registration.zone)
        let now = clock.date
        return try await store.registerDevice(
            app: app.id,
            installation: registration.installation,
            note: calendar.note([.online, .active], at: now),
            make: { ordinal in
                var device = RegisteredDevice(
                    id: DeviceID(app: app.id, ordinal: ordinal),
                    installation: registration.installation,
                    secretHash: SecretHash(of: secret),
                    environment: registration.environment,
                    tokenRegisteredAt: now,
                    lastSeen: now
                )
                device.registeredAt = now
                return device
            },
            change: { device in
                device.secretHash = SecretHash(of: secret)
                device.sequence = 0
                device.enter(registration.environment)
                // An app that registers receives pushes until it switches push off.
                device.isStopped = false
                device.system = registration.system
                device.channel = registration.channel
                device.zone = zone
                device.appVersion = registration.appVersion
                device.read(language: registration.language)
                if let permission = registration.permission { device.permission = permission }
                device.lastSeen = max(device.lastSeen, now)
            }
        )
    }

    /// Returns the device with this registration id, which may be an imported one; nil if its secret is another.
    func device(_ text: String, of app: App, secret: String) async throws -> RegisteredDevice? {
        let name = RegistrationID(text)
        if let name { try await others?.lookUp(name, of: app.id) }
        guard let id = name.flatMap({ registry.device($0, of: app.id) }), let device = try await store.device(id),
            device.secretHash.matches(secret)
        else { return nil }
        return device
    }

    /// The outcome of a look-up by registration id and secret.
    package enum Login: Hashable, Sendable {
        case device(DeviceID)
        /// The secret is not that of the device.
        case wrongSecret(of: DeviceID)
        /// There is no such device: its registration is gone, or never was. Such an id is no guess at a secret.
        case unknown
    }

    /// Looks for the device with this id created by the service.
    ///
    /// Calls are counted before the secret is compared.
    ///
    /// - Throws: ``RegistrationRefusal`` with 6011 if the address makes too many calls for the app.
    package func login(_ text: String, secret: String, from network: String?) async throws -> Login {
        let id = RegistrationID(text).flatMap { registry.registrationIDs.device(of: $0) }
        let app = id.flatMap { registry.app($0.app) }
        guard calls.count(app?.id ?? 0, from: network, at: clock.date) == .taken else {
            throw RegistrationRefusal(6011, "Too many calls come from this address; wait a moment.")
        }
        guard let id, app != nil, let device = try await store.device(id) else { return .unknown }
        guard device.secretHash.matches(secret) else { return .wrongSecret(of: id) }
        others?.apply(device)
        return .device(id)
    }

    /// Records the start of an app on a device, as at a login.
    ///
    /// - Returns: the device; nil if there is none any more.
    /// - Throws: ``RegistrationRefusal``.
    package func start(
        _ id: DeviceID,
        _ report: DeviceReport,
        with requests: [SDKRequest] = []
    ) async throws -> RegistrationState? {
        try Self.check(report)
        try Self.check(requests)
        let now = clock.date
        let zone = Self.known(report.zone)
        let seen = try await store.updateDevice(id, note: calendar.note([.online, .active], at: now)) { device in
            device.lastSeen = max(device.lastSeen, now)
            device.apply(report, inZone: zone)
        }
        guard let seen else { return nil }
        registry.apply([seen])
        try await carryOut(requests, for: id)
        return RegistrationState(seen, after: requests)
    }

    private func carryOut(_ requests: [SDKRequest], for device: DeviceID) async throws {
        for request in requests {
            let reply = try await carryOut(request, for: device)
            guard reply.code == 0 else { throw RegistrationRefusal(reply) }
        }
    }

    /// Deletes a device with everything that is known of it. A later registration of its installation is a new device.
    package func unregister(_ device: DeviceID) async throws {
        let gone = try await store.deleteDevices(
            [device.ordinal],
            of: device.app,
            unseenSince: .distantFuture,
            Deletion(days: settings.value.retention.devices, at: clock.date)
        )
        registry.forget(gone, of: device.app)
        registry.noteChange()
        router.session(of: device)?.connection.close()
    }

    /// Returns the custom messages that wait for a device, at most as many as at a login, oldest first. Messages up to the
    /// position of the last one that it has are acknowledged.
    package func messages(for device: DeviceID, after position: Int64?) async throws -> [SDKMessage] {
        registry.isStopped(device) ? [] : try await router.waitingMessages(of: device, keptThrough: position)
    }

    /// Returns the orders of the last day to remove notifications that a device has not answered.
    package func openTakeBacks(of device: DeviceID) async throws -> [SDKTakeBack] {
        let since = clock.date.addingTimeInterval(-Double(JPushLimits.withdrawal))
        // Another node may have begun one.
        if others == nil, try await !acceptor.takeBacks.hasAny(since: since, in: store) { return [] }
        return try await store.openTakeBacks(of: device, since: since).map {
            SDKTakeBack(id: $0.id.number, messageID: $0.message.number)
        }
    }

    // MARK: - Checks

    func app(_ text: String) async throws -> App {
        guard let key = AppKey(text) else {
            throw RegistrationRefusal(1008, "The app key '\(text)' is malformed; expected 24 letters or digits.")
        }
        guard let app = try await registry.app(key) else {
            throw RegistrationRefusal(1005, "The app key '\(text)' is not known to this service.")
        }
        return app
    }

    private static func check(_ registration: SDKRegistration) throws(RegistrationRefusal) {
        try check([
            ("bundle id", registration.bundleID, fieldBytes), ("installation", registration.installation, fieldBytes),
            ("system", registration.system, fieldBytes), ("channel", registration.channel, fieldBytes),
            ("app version", registration.appVersion, fieldBytes), ("language", registration.language, nameBytes),
            ("former registration id", registration.former?.registrationID, nameBytes),
            ("former secret", registration.former?.secret, nameBytes),
        ])
        guard !registration.installation.isEmpty else {
            throw RegistrationRefusal(6017, "The installation is empty; expected a random id.")
        }
    }

    private static func check(_ report: DeviceReport) throws(RegistrationRefusal) {
        try check([
            ("system", report.system, fieldBytes), ("channel", report.channel, fieldBytes),
            ("app version", report.appVersion, fieldBytes), ("language", report.language, nameBytes),
        ])
    }

    private static func check(_ requests: [SDKRequest]) throws(RegistrationRefusal) {
        for request in requests {
            if let refusal = refusal(ofTokenIn: request) { throw RegistrationRefusal(refusal) }
        }
    }

    /// Checks texts that a device sends about itself.
    private static func check(_ fields: [(name: String, text: String?, limit: Int)]) throws(RegistrationRefusal) {
        for case (let name, let text?, let limit) in fields {
            guard text.utf8.count <= limit else {
                let found = "The \(name) has \(text.utf8.count) bytes"
                throw RegistrationRefusal(6017, "\(found); expected at most \(limit).")
            }
            guard !text.hasNUL else {
                throw RegistrationRefusal(6017, "The \(name) has the character U+0000; leave it out.")
            }
        }
    }

    /// - Returns: whether the address may register another device of the app this minute.
    private func countRegistration(of app: App, from network: String?) -> Bool {
        let answer = registrations.count(app.id, from: network, at: clock.date)
        if answer == .firstTooMany {
            logger.warning(
                "Registrations are refused: too many come from one address. If it is a proxy, name it in http.proxies",
                metadata: ["app": "\(app.key)", "address": "\(network ?? "none")"]
            )
        }
        return answer == .taken
    }

    /// Returns the identifier of a known time zone; nil for an unknown one, which is treated as none.
    private static func known(_ zone: String?) -> String? {
        zone.flatMap { $0.utf8.count <= nameBytes ? TimeZone(iana: $0)?.identifier : nil }
    }
}

/// A device that has registered, with the secret by which it proves itself.
package struct Registered: Sendable {
    package var device: DeviceID
    package var registrationID: RegistrationID
    package var secret: String
    package var state: RegistrationState
}

/// The part of a device's record that its app should know.
package struct RegistrationState: Hashable, Sendable {
    /// False if APNs has reported that the token is gone, or the app has sent none.
    package var hasToken: Bool { token != nil }
    package var token: DeviceToken?
    /// Whether push is switched on.
    package var isOn: Bool
    package var tokenDigest: String? { token?.digest }
    /// The number of the last operation with a number; later ones have greater numbers.
    package var sequence: Int64

    fileprivate init(_ device: RegisteredDevice, after requests: [SDKRequest]) {
        // The last one is stored.
        let sent = requests.compactMap { if case .token(let token, _) = $0 { token } else { nil } }.last
        token = sent ?? device.token
        isOn = !device.isStopped
        sequence = device.sequence
    }
}

extension RegisteredDevice {
    /// Changes the environment. A token of the other one is invalid in it; the app sends the new one next.
    fileprivate mutating func enter(_ environment: APNSEnvironment) {
        if self.environment != environment { token = nil }
        self.environment = environment
    }

    fileprivate mutating func apply(_ report: DeviceReport, inZone zone: String?) {
        if let environment = report.environment { enter(environment) }
        if let system = report.system { self.system = system }
        if let channel = report.channel { self.channel = channel }
        if let zone { self.zone = zone }
        if let version = report.appVersion { appVersion = version }
        read(language: report.language)
        if let permission = report.permission { self.permission = permission }
    }
}

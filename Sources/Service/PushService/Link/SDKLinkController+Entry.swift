import DeviceLink
import Foundation
import Logging
import PushClock
import PushModel

// Registration and login of apps.
extension SDKLinkController {
    private func app(_ text: String, on session: SDKLinkSession) async throws -> App? {
        guard let key = AppKey(text) else {
            refuse(session, code: 1008, "The app key '\(text)' is malformed; expected 24 letters or digits.")
            return nil
        }
        guard let app = try await registry.app(key) else {
            refuse(session, code: 1005, "The app key '\(text)' is not known to this service.")
            return nil
        }
        return app
    }

    /// The maximum length of each text that a device sends about itself, in bytes.
    private static let fieldBytes = 256

    /// Returns the error in a registration; nil if there is none.
    private static func problem(_ registration: SDKRegistration) -> String? {
        let fields: [(name: String, text: String?)] = [
            ("bundle-id", registration.bundleID), ("installation", registration.installation),
            ("system", registration.system), ("channel", registration.channel),
            ("app-version", registration.appVersion),
        ]
        for case (let name, let text?) in fields {
            if let problem = problem(text, in: name) { return problem }
        }
        return registration.installation.isEmpty ? "'installation' is empty; expected a random id." : nil
    }

    /// Returns the error in a text that a device sends about itself; nil if there is none.
    private static func problem(_ text: String, in name: String) -> String? {
        guard text.utf8.count <= fieldBytes else {
            return "'\(name)' has \(text.utf8.count) bytes; expected at most \(fieldBytes)."
        }
        return text.hasNUL ? "'\(name)' has the character U+0000; leave it out." : nil
    }

    func register(_ registration: SDKRegistration, on session: SDKLinkSession) async throws {
        if let problem = Self.problem(registration) { return refuse(session, code: 6017, problem) }
        guard session.takesRegistration() else {
            return refuse(session, code: 6017, "A device has registered on this link already; log in on another link.")
        }
        guard let app = try await app(registration.appKey, on: session) else { return }
        guard app.bundleID == registration.bundleID else {
            return refuse(
                session,
                code: 1009,
                "The app key does not belong to bundle id '\(registration.bundleID)'."
            )
        }
        guard countRegistration(of: app, from: session.connection.peerNetwork) else {
            return refuse(session, code: 6011, "Too many devices register from this address; wait a minute.")
        }
        let zone = Self.known(registration.zone)
        var generator = SystemRandomNumberGenerator()
        let secret = generator.hexadecimalDigits(32)
        let now = clock.date
        let device = try await store.registerDevice(
            app: app.id,
            installation: registration.installation,
            note: calendar.note([.online, .active], at: now),
            make: { ordinal in
                RegisteredDevice(
                    id: DeviceID(app: app.id, ordinal: ordinal),
                    installation: registration.installation,
                    secretHash: SecretHash(of: secret),
                    environment: registration.environment,
                    tokenRegisteredAt: now,
                    lastSeen: now
                )
            },
            change: { device in
                device.secretHash = SecretHash(of: secret)
                // A token of the other environment is invalid in this one; the app sends the new one next.
                if device.environment != registration.environment { device.token = nil }
                device.environment = registration.environment
                // An app that registers receives pushes until it switches push off.
                device.isStopped = false
                device.system = registration.system
                device.channel = registration.channel
                device.zone = zone
                device.appVersion = registration.appVersion
                device.lastSeen = max(device.lastSeen, now)
            }
        )
        registry.apply([device])
        let registrationID = registry.registrationID(of: device.id).text
        session.send(.registered(registrationID: registrationID, secret: secret, userID: device.id.userID))
        enter(device.id, session)
        session.send(.loggedIn)
        try await router.enter(device.id, session, keptThrough: nil)
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

    func logIn(
        _ text: String,
        of appKey: String,
        secret: String,
        keptThrough position: Int64?,
        zone: String?,
        appVersion: String?,
        on session: SDKLinkSession
    ) async throws {
        if let appVersion, let problem = Self.problem(appVersion, in: "app-version") {
            return refuse(session, code: 6017, problem)
        }
        guard let app = try await app(appKey, on: session) else { return }
        let name = RegistrationID(text)
        if let name { try await registry.lookUp(name, of: app.id) }
        guard let id = name.flatMap({ registry.device($0, of: app.id) }),
            let device = try await store.device(id), device.secretHash.matches(secret)
        else {
            return refuse(session, code: 6016, "The registration id or its secret is not known; register again.")
        }
        let now = clock.date
        let note = calendar.note([.online, .active], at: now)
        let known = Self.known(zone)
        do {
            let seen = try await store.updateDevice(id, note: note) { device in
                device.lastSeen = max(device.lastSeen, now)
                // A client that sends no zone, or no version, keeps the stored one.
                if let known { device.zone = known }
                if let appVersion { device.appVersion = appVersion }
            }
            if let seen { registry.apply([seen]) }
        } catch let error as StoreError where error.retryAfter != nil {
            // Messages can still be read and sent; the last-seen time is written when the link closes.
            logger.debug("A login was not stored", metadata: ["error": "\(error)"])
        }
        enter(id, session)
        session.send(.loggedIn)
        if session.takesMessages { try await router.enter(id, session, keptThrough: position) }
    }

    /// Returns the identifier of a known time zone; nil for an unknown one, which is treated as none.
    private static func known(_ zone: String?) -> String? {
        zone.flatMap { $0.utf8.count <= 64 ? TimeZone(iana: $0)?.identifier : nil }
    }
}

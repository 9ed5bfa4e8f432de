import DeviceLink
import Foundation
import Logging
import PushClock
import PushModel

/// Answers the frames of SDK links: who registers, who logs in, and what they ask for.
struct SDKLinkDesk: Sendable {
    let store: any PushStore
    let registry: Registry
    let clock: any CivilClock
    let calendar: UseCalendar
    let logger: Logger

    /// Bytes of a frame from an end that has not said yet which device it is.
    static let strangerBytes = 4096

    func answer(_ text: String, on session: SDKLinkSession) async {
        guard session.device != nil || text.utf8.count <= Self.strangerBytes else {
            return refuse(session, 6017, "A frame before the login has at most \(Self.strangerBytes) bytes.")
        }
        do {
            switch try SDKFrame(text: text) {
            case .register(let registration): try await register(registration, on: session)
            case .login(let appKey, let registrationID, let secret, _):
                try await logIn(appKey, registrationID, secret, on: session)
            case .request(let number, let request):
                guard let device = session.device else {
                    return session.send(.reply(number: number, SDKReply(code: 6016, message: "Log in first.")))
                }
                session.send(.reply(number: number, try await carryOut(request, for: device)))
            case .acknowledge: break
            case .registered, .loggedIn, .refused, .reply, .message:
                refuse(session, 6017, "That frame is the service's to send.")
            }
        } catch let error as LinkFrameError {
            refuse(session, 6017, error.description)
        } catch {
            // The app sends what got no reply again after its next login.
            logger.error("An SDK request failed", metadata: ["error": "\(error)"])
            session.connection.close()
        }
    }

    private func refuse(_ session: SDKLinkSession, _ code: Int, _ message: String) {
        session.send(.refused(code: code, message: message))
        session.connection.close()
    }

    private func app(_ text: String, on session: SDKLinkSession) async throws -> App? {
        guard let key = AppKey(text) else {
            refuse(session, 1008, "The app key '\(text)' is malformed; expected 24 letters or digits.")
            return nil
        }
        guard let app = try await registry.app(key) else {
            refuse(session, 1005, "The app key '\(text)' is not known to this service.")
            return nil
        }
        return app
    }

    private func register(_ registration: SDKRegistration, on session: SDKLinkSession) async throws {
        guard let app = try await app(registration.appKey, on: session) else { return }
        guard app.bundleID == registration.bundleID else {
            return refuse(
                session,
                1009,
                "The app key belongs to bundle id '\(app.bundleID)', not '\(registration.bundleID)'."
            )
        }
        var generator = SystemRandomNumberGenerator()
        let secret = generator.hexadecimalDigits(32)
        let now = clock.date
        let device = try await store.registerDevice(
            app: app.id,
            installation: registration.installation,
            note: calendar.note([.online, .active], at: now),
            make: { ordinal in
                Device(
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
                // A token of the other environment means nothing in this one; the app brings the new one next.
                if device.environment != registration.environment { device.token = nil }
                device.environment = registration.environment
                device.system = registration.system
                device.channel = registration.channel
                device.lastSeen = now
            }
        )
        registry.apply([device])
        let registrationID = registry.registrationID(of: device.id).text
        session.send(.registered(registrationID: registrationID, secret: secret, userID: device.id.userID))
        enter(device.id, session)
        session.send(.loggedIn)
    }

    private func logIn(_ appKey: String, _ text: String, _ secret: String, on session: SDKLinkSession) async throws {
        guard let app = try await app(appKey, on: session) else { return }
        guard let id = RegistrationID(text).flatMap({ registry.device($0, of: app.id) }),
            let device = try await store.device(id), device.secretHash.matches(secret)
        else {
            return refuse(session, 6016, "The registration id or its secret is not known; register again.")
        }
        let now = clock.date
        let note = calendar.note([.online, .active], at: now)
        if let seen = try await store.updateDevice(id, note: note, { $0.lastSeen = now }) { registry.apply([seen]) }
        enter(id, session)
        session.send(.loggedIn)
    }

    private func carryOut(_ request: SDKRequest, for device: DeviceID) async throws -> SDKReply {
        switch request {
        case .token(let token, let environment):
            let changed = try await store.setToken(token, environment, of: device, at: clock.date)
            registry.apply(changed)
            // Who lost the token may have been imported.
            if changed.count > 1 { registry.apply(try await store.importedIDs(of: device)) }
            return SDKReply(code: 0)
        case .addTags(let tags): return try await changeTags(of: device, with: tags) { $0.union($1) }
        case .setTags(let tags): return try await changeTags(of: device, with: tags) { $1 }
        case .deleteTags(let tags): return try await changeTags(of: device, with: tags) { $0.subtracting($1) }
        case .cleanTags: return try await change(device, SDKReply(code: 0)) { $0.tags = [] }
        case .getAllTags: return SDKReply(code: 0, tags: try await store.device(device)?.tags ?? [])
        case .setAlias(let alias): return try await setAlias(alias, of: device)
        case .deleteAlias: return try await change(device, SDKReply(code: 0)) { $0.alias = nil }
        case .getAlias: return SDKReply(code: 0, alias: try await store.device(device)?.alias)
        case .badge(let badge):
            guard (0...JPushLimits.badge).contains(badge) else {
                return SDKReply(code: 6017, message: "The badge \(badge) is not within 0 to \(JPushLimits.badge).")
            }
            return try await change(device, SDKReply(code: 0)) { $0.badge = badge }
        default: return SDKReply(code: 6017, message: "This service does not know that request.")
        }
    }

    private func change(
        _ id: DeviceID,
        _ reply: SDKReply,
        _ change: @escaping @Sendable (inout Device) -> Void
    ) async throws -> SDKReply {
        guard let device = try await store.updateDevice(id, change) else {
            return SDKReply(code: 6016, message: "The device is not known any more; register again.")
        }
        registry.apply([device])
        return reply
    }

    private func changeTags(
        of device: DeviceID,
        with tags: [String],
        _ combine: @escaping @Sendable (Set<String>, Set<String>) -> Set<String>
    ) async throws -> SDKReply {
        for tag in tags {
            guard tag.utf8.count <= JPushLimits.tagBytes else {
                return SDKReply(code: 6006, message: "The tag '\(tag)' is longer than \(JPushLimits.tagBytes) bytes.")
            }
            guard JPushLimits.isTag(tag) else {
                return SDKReply(code: 6005, message: "The tag '\(tag)' has a character that tags may not have.")
            }
        }
        guard let now = try await store.device(device)?.tags,
            combine(Set(now), Set(tags)).count <= JPushLimits.tagsPerDevice
        else {
            return SDKReply(code: 6007, message: "A device has at most \(JPushLimits.tagsPerDevice) tags.")
        }
        return try await change(device, SDKReply(code: 0, tags: tags)) { device in
            device.tags = combine(Set(device.tags), Set(tags)).sorted()
        }
    }

    private func setAlias(_ alias: String, of device: DeviceID) async throws -> SDKReply {
        guard alias.utf8.count <= JPushLimits.tagBytes else {
            return SDKReply(code: 6004, message: "The alias is longer than \(JPushLimits.tagBytes) bytes.")
        }
        guard JPushLimits.isTag(alias) else {
            return SDKReply(code: 6003, message: "The alias '\(alias)' is empty or has a character it may not have.")
        }
        guard registry.claim(alias, for: device, at: clock.date) else {
            return SDKReply(code: 6027, message: "\(JPushLimits.devicesPerAlias) devices have this alias already.")
        }
        defer { registry.release(alias, for: device) }
        return try await change(device, SDKReply(code: 0, alias: alias)) { $0.alias = alias }
    }
}

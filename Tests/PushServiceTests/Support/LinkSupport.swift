import DeviceLink
import PushModel
import PushService
import Testing

/// The owner of a link, who hears its events. A function that lies in a mutex by itself is wrapped anew each time it is read (Swift 6.3).
struct LinkOwner: Sendable {
    var tell: @Sendable (LinkEvent) -> Void
}

// Devices with links, for tests of what comes after the login.
extension TestService {
    /// Registers a device of its own over a link, which stays open.
    func enrol(_ installation: String = "installation") async throws -> (link: TestLink, identity: Identity) {
        let link = TestLink(to: self)
        link.say(
            .register(
                SDKRegistration(
                    appKey: app.key.text,
                    bundleID: app.bundleID,
                    channel: nil,
                    environment: .production,
                    system: "iOS 17.0",
                    installation: installation
                )
            )
        )
        guard case .registered(let registrationID, let secret, let userID) = try await link.hear(),
            case .loggedIn = try await link.hear()
        else {
            Issue.record("'registered' and 'logged-in' were expected.")
            throw CancellationError()
        }
        return (link, Identity(registrationID: registrationID, secret: secret, userID: userID))
    }

    /// Opens another link of a device and logs in on it.
    func logIn(_ identity: Identity, position: Int64? = nil) async throws -> TestLink {
        let link = TestLink(to: self)
        link.say(
            .login(
                appKey: app.key.text,
                registrationID: identity.registrationID,
                secret: identity.secret,
                position: position
            )
        )
        let answer = try await link.hear()
        #expect(answer.isLoggedIn)
        return link
    }

    func device(_ identity: Identity) async throws -> RegisteredDevice {
        let id = try #require(RegistrationID(identity.registrationID))
        let device = try #require(core.registry.device(id, of: app.id))
        return try #require(try await store.device(device))
    }
}

extension SDKFrame {
    var isLoggedIn: Bool { if case .loggedIn = self { true } else { false } }
}

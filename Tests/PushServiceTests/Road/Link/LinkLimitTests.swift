import DeviceLink
import Foundation
import PushClock
import PushModel
import PushService
import Synchronization
import TestSupport
import Testing

/// A link from somewhere, whose owner may hold it.
private final class FarLink: LinkConnection {
    struct State {
        var frames: [SDKFrame] = []
        var isHeld = false
        var holds = 0
        var isAdmitted = false
        var isClosed = false
    }

    let peerNetwork: String?
    private let state = Mutex(State())
    private let service = Mutex<LinkOwner?>(nil)
    private let turn = Mutex(())

    init(to service: TestService, from network: String? = "192.0.2.1") {
        peerNetwork = network
        let owner = LinkOwner(tell: service.core.links.accept(self))
        self.service.withLock { $0 = owner }
    }

    var now: State { state.withLock { $0 } }

    func send(_ text: String) {
        do {
            let frame = try SDKFrame(text: text)
            turn.withLock { _ in state.withLock { $0.frames.append(frame) } }
        } catch { Issue.record(error) }
    }

    func close() { state.withLock { $0.isClosed = true } }
    func admit() { state.withLock { $0.isAdmitted = true } }
    func resumeReading() { state.withLock { $0.isHeld = false } }
    func holdReading() {
        state.withLock { state in
            state.isHeld = true
            state.holds += 1
        }
    }

    /// Says something whole: the service's next answer waits until the body has returned.
    func inOneGo(_ body: () -> Void) { turn.withLock { _ in body() } }

    func say(_ frame: SDKFrame) { service.withLock { $0 }?.tell(.received(frame.text)) }

    /// The first frame from the service behind so many.
    func frame(after count: Int = 0) async throws -> SDKFrame {
        try await eventual("there is a frame") { now.frames.dropFirst(count).first }
    }
}

@Suite("Limits of the SDK link", .suiteLimit)
struct LinkLimitTests {
    private func registration(_ service: TestService, _ installation: String = "i") -> SDKRegistration {
        SDKRegistration(
            appKey: service.app.key.text,
            bundleID: service.app.bundleID,
            channel: "store",
            environment: .production,
            system: "iOS 17.0",
            installation: installation
        )
    }

    private func refusal(_ link: FarLink, after count: Int = 0) async throws -> (code: Int, message: String) {
        guard case .refused(let code, let message) = try await link.frame(after: count) else { return (0, "") }
        try await eventually("the link is closed") { link.now.isClosed }
        return (code, message)
    }

    @Test("A device tells 256 bytes of each kind about itself, and never says nothing of its installation")
    func fields() async throws {
        try await TestService.run { service in
            let long = String(repeating: "x", count: 257)
            let changes: [(String, (inout SDKRegistration) -> Void)] = [
                ("The bundle id has 257 bytes", { $0.bundleID = long }),
                ("The installation has 257 bytes", { $0.installation = long }),
                ("The installation is empty", { $0.installation = "" }),
                ("The system has 257 bytes", { $0.system = long }),
                ("The channel has 257 bytes", { $0.channel = long }),
                ("The system has the character U+0000", { $0.system = "iOS\0" }),
                ("The app version has the character U+0000", { $0.appVersion = "1\0" }),
            ]
            for (expected, change) in changes {
                var registration = registration(service)
                change(&registration)
                let link = FarLink(to: service)
                link.say(.register(registration))
                let (code, message) = try await refusal(link)
                #expect(code == 6017)
                #expect(message.hasPrefix(expected), "\(message)")
                #expect(!link.now.isAdmitted)
            }
            var full = registration(service, String(long.dropFirst()))
            full.system = full.installation
            full.channel = full.installation
            let link = FarLink(to: service)
            link.say(.register(full))
            guard case .registered = try await link.frame() else {
                Issue.record("256 bytes are no more than is allowed.")
                return
            }
            // The link is admitted after its answer was sent.
            try await eventually("the link is admitted") { link.now.isAdmitted }
        }
    }

    @Test("A link takes one registration")
    func oneRegistration() async throws {
        try await TestService.run { service in
            let link = FarLink(to: service)
            link.say(.register(registration(service, "one")))
            link.say(.register(registration(service, "two")))
            let (code, message) = try await refusal(link, after: 2)
            #expect(code == 6017)
            #expect(message.contains("another link"))
            let devices = try await service.store.devices(of: service.app.id, from: 0, limit: 10)
            #expect(devices.map(\.installation) == ["one"])
        }
    }

    @Test("An address registers as many devices in a minute as the rule says; others, other apps and logins go on")
    func rate() async throws {
        try await TestService.run(settings: { $0.link.registrationsPerMinute = 3 }) { service in
            func register(_ name: String, from network: String?) async throws -> SDKFrame {
                let link = FarLink(to: service, from: network)
                link.say(.register(registration(service, name)))
                return try await link.frame()
            }
            var last: (id: String, secret: String)?
            for name in ["a", "b", "c"] {
                guard case .registered(let id, let secret, _) = try await register(name, from: "192.0.2.1") else {
                    Issue.record("\(name) was refused.")
                    return
                }
                last = (id, secret)
            }
            guard case .refused(6011, let message) = try await register("d", from: "192.0.2.1") else {
                Issue.record("The fourth in a minute is one too many.")
                return
            }
            #expect(message.contains("wait a minute"))
            guard case .registered = try await register("e", from: "192.0.2.2") else {
                Issue.record("Another address is not concerned.")
                return
            }
            let login = FarLink(to: service, from: "192.0.2.1")
            let known = try #require(last)
            login.say(.login(appKey: service.app.key.text, registrationID: known.id, secret: known.secret))
            #expect(try await login.frame().isLoggedIn)
            // A third of a minute has room for one.
            await service.clock.advance(by: .seconds(20))
            guard case .registered = try await register("d", from: "192.0.2.1") else {
                Issue.record("There is room for one again.")
                return
            }
            guard case .refused(6011, _) = try await register("f", from: "192.0.2.1") else {
                Issue.record("There is room for one only.")
                return
            }
            let devices = try await service.store.devices(of: service.app.id, from: 0, limit: 10)
            #expect(devices.map(\.installation) == ["a", "b", "c", "e", "d"])
        }
    }

    @Test("A refusal does not tell which bundle id an app has")
    func bundleID() async throws {
        try await TestService.run { service in
            var registration = registration(service)
            registration.bundleID = "com.example.guess"
            let link = FarLink(to: service)
            link.say(.register(registration))
            let (code, message) = try await refusal(link)
            #expect(code == 1009)
            #expect(!message.contains(service.app.bundleID), "\(message)")
        }
    }

    @Test("A link on which much waits is not read until half of that is answered, and every request has its answer")
    func budget() async throws {
        try await TestService.run { service in
            let link = FarLink(to: service)
            link.say(.register(registration(service)))
            try await eventually("the device is in") { link.now.frames.count == 2 }
            #expect(link.now.holds == 0)
            let long = String(repeating: "x", count: 100_000)
            link.inOneGo { for number in 1...40 { link.say(.request(number: Int64(number), .setAlias(long))) } }
            #expect(link.now.holds > 0, "4 MB are more than may wait.")
            try await eventually("all have their answers") { link.now.frames.count == 42 }
            #expect(!link.now.isHeld)
            #expect(!link.now.isClosed)
        }
    }

    @Test("A token has 256 bytes at most")
    func tokens() async throws {
        try await TestService.run { service in
            let (link, identity) = try await service.enrol()
            let long = DeviceToken(bytes: [UInt8](repeating: 1, count: 257))
            for request: SDKRequest in [
                .token(long, .production), .voipToken(long, .production), .activityToken(id: "a", long),
                .activityStartToken(type: "T", long),
            ] {
                let reply = try await link.ask(request)
                #expect(reply.code == 6017, "\(request)")
                #expect(reply.message == "The token has 257 bytes; expected at most 256.")
            }
            let token = DeviceToken(bytes: [1])
            for request: SDKRequest in [.activityToken(id: "a\0", token), .activityStartToken(type: "\0", nil)] {
                #expect(try await link.ask(request).code == 6017, "\(request)")
            }
            #expect(try await service.device(identity).token == nil)
        }
    }

    @Test("A caller with the token of a device that has a secret does not get that device's ids")
    func takeover() async throws {
        try await TestService.run { service in
            let token = DeviceToken(bytes: [UInt8](repeating: 4, count: 32))
            let old = try #require(RegistrationID("1a0018970a91c0c8a3f"))
            let row = DeviceImport(registrationID: old, token: token)
            _ = try await service.core.importer.add([row], of: service.app.id, environment: .production)
            let (owner, owned) = try await service.enrol("owner")
            #expect(try await owner.ask(.token(token, .production)).code == 0)
            let ownerID = try await service.device(owned).id
            #expect(service.core.registry.device(old, of: service.app.id) == ownerID)
            let (thief, _) = try await service.enrol("thief")
            #expect(try await thief.ask(.token(token, .production)).code == 0)
            // In memory and on disk.
            #expect(service.core.registry.device(old, of: service.app.id) == ownerID)
            #expect(try await service.store.importedID(old, of: service.app.id)?.device == ownerID)
            // A custom message to the id comes to the owner.
            _ = try await service.push(
                """
                {"platform":"all","audience":{"registration_id":["\(old)"]},"message":{"msg_content":"for the owner"}}
                """
            )
            guard case .message(let message) = try await owner.hear() else {
                Issue.record("A message was expected.")
                return
            }
            #expect(message.content == "for the owner")
        }
    }
}

import DeviceLink
import JPush
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import Synchronization
import TestSupport
import Testing
import UIKit

private let app = InstalledApp(bundleID: "com.example.jpush", link: TestService.url)

@Suite("JPUSHService against a service")
@MainActor
struct JPushTests {
    let phone = TestPhone()
    let service = TestService()

    init() async {
        phone.dialer.serve(TestService.url, service)
        phone.install(app) { BareApp() }
        await phone.open(app)
    }

    private func inside<Result>(_ body: @MainActor () -> Result) throws -> Result {
        let result = phone.device.inside(app.bundleID, body)
        return try #require(result)
    }

    private func setUp() throws {
        try inside {
            JPUSHService.setup(withOption: nil, appKey: "key", channel: "test", apsForProduction: false)
        }
    }

    /// The code and id with which the SDK comes back.
    private func registration() async throws -> (code: Int32, id: String?) {
        try await #require(
            phone.device.inside(app.bundleID) {
                await withCheckedContinuation { continuation in
                    JPUSHService.registrationIDCompletionHandler { continuation.resume(returning: ($0, $1)) }
                }
            } as (code: Int32, id: String?)?
        )
    }

    private func tags(_ call: @escaping @MainActor (@escaping JPUSHTagsOperationCompletion) -> Void) async throws -> Int
    {
        try await #require(
            phone.device.inside(app.bundleID) {
                await withCheckedContinuation { continuation in
                    call { code, _, _ in continuation.resume(returning: code) }
                }
            } as Int?
        )
    }

    @Test("Registers once, and logs in after a relaunch")
    func registersOnce() async throws {
        #expect(try inside { JPUSHService.registrationID() } == "")
        try setUp()
        let first = try await registration()
        #expect(first.code == 0)
        #expect(first.id == "19d1")
        guard case .register(let registration) = service.received.first else {
            Issue.record("The first frame is not a registration.")
            return
        }
        #expect(registration.appKey == "key")
        #expect(registration.bundleID == app.bundleID)
        #expect(registration.environment == .development)
        #expect(registration.system == "iOS 17.0")
        #expect(registration.language == "en")

        await phone.forceQuit(app)
        await phone.perform { $0.setLanguage("zh-Hant-HK") }
        await phone.open(app)
        try setUp()
        let second = try await self.registration()
        #expect(second.id == "19d1")
        #expect(
            service.received.last
                == .login(appKey: "key", registrationID: "19d1", secret: "s1", zone: "GMT", language: "zh-Hant-HK")
        )
    }

    @Test("Sends the token after each login")
    func sendsToken() async throws {
        let token = try #require(DeviceToken("aabb"))
        try inside { JPUSHService.registerDeviceToken(Data(token.bytes)) }
        try setUp()
        _ = try await registration()
        service.drop()
        await phone.advance(by: .seconds(1))
        // The SDK's alarm rings on a thread of its own.
        try await eventually("the token was sent twice") { service.requests.count >= 2 }
        let sent = SDKRequest.token(token, .development)
        #expect(service.requests == [sent, sent])
    }

    @Test("Keeps what is asked before registration, and answers when it is done")
    func earlyCalls() async throws {
        async let early = tags { JPUSHService.setTags(["a", "b"], completion: $0, seq: 1) }
        try setUp()
        #expect(try await early == 0)
        #expect(service.state.withLock(\.tags) == ["a", "b"])
    }

    @Test("Refuses what is spelt wrong before it is sent")
    func validation() async throws {
        try setUp()
        _ = try await registration()
        #expect(try await tags { JPUSHService.setTags(["no spaces"], completion: $0, seq: 1) } == 6005)
        #expect(try await tags { JPUSHService.setTags([], completion: $0, seq: 1) } == 6001)
        let long = String(repeating: "a", count: 41)
        #expect(try await tags { JPUSHService.addTags([long], completion: $0, seq: 1) } == 6006)
        #expect(service.received.count == 1)
    }

    @Test("One tag operation at a time; without an answer it ends after 20 seconds")
    func oneAtATime() async throws {
        try setUp()
        _ = try await registration()
        service.set { $0.answers = false }
        let codes = Mutex<[Int]>([])
        try inside {
            JPUSHService.setTags(["a"], completion: { code, _, _ in codes.withLock { $0.append(code) } }, seq: 1)
            JPUSHService.setTags(["b"], completion: { code, _, _ in codes.withLock { $0.append(code) } }, seq: 2)
        }
        // The second is refused at once; the first one waits for its time.
        try await eventually("the second is refused") { codes.withLock(\.self) == [6021] }
        await phone.advance(by: .milliseconds(19_999))
        #expect(codes.withLock(\.self) == [6021])
        await phone.advance(by: .milliseconds(1))
        try await eventually("the first ends") { codes.withLock(\.self) == [6021, 6002] }
    }

    @Test("A refused app hears the code")
    func refused() async throws {
        service.set { $0.refusal = (1005, "no such app") }
        try setUp()
        let result = try await registration()
        #expect(result.code == 1005)
        #expect(result.id == nil)
    }

    @Test("An app without a link hears 1011")
    func withoutLink() async throws {
        let lonely = InstalledApp(bundleID: app.bundleID)
        phone.install(lonely) { BareApp() }
        await phone.open(lonely)
        try setUp()
        let result = try await registration()
        #expect(result.code == 1011)
    }

    @Test("The alias and the badge reach the service")
    func aliasAndBadge() async throws {
        try setUp()
        let alias = try await #require(
            phone.device.inside(app.bundleID) {
                await withCheckedContinuation { continuation in
                    JPUSHService.setAlias("tom", completion: { _, _, _ in }, seq: 1)
                    JPUSHService.setBadge(3)
                    JPUSHService.setAlias(
                        "x y",
                        completion: { code, _, _ in continuation.resume(returning: code) },
                        seq: 2
                    )
                }
            } as Int?
        )
        #expect(alias == 6003)
        _ = try await registration()
        #expect(service.state.withLock(\.alias) == "tom")
        #expect(service.received.contains { if case .request(_, _, .badge(3)) = $0 { true } else { false } })
        #expect(try inside { JPUSHService.setBadge(100_000) } == false)
    }
}

import PosthornTesting
import Reminders
import Testing

/// The app with the JPush SDK, against a service in the test's process.
@Suite("Accounts", .phoneStory)
@MainActor
struct AccountTests {
    private let jpush = TestJPush()
    private let app = InstalledApp(bundleID: "com.example.reminders", link: TestJPush.url)
    private let phone = TestPhone(.iOS(17))

    /// Opens the app, and waits until the service knows its token.
    private func start() async throws {
        jpush.serve(phone)
        phone.install(app) { AppDelegate(jpushKey: "0123456789abcdef01234567") }
        await phone.open(app)
        try await phone.device.inside(app.bundleID) { _ = try await ReminderCenter().start(hour: 8) }
        await phone.wait("the service has the token") { [jpush] in jpush.token(of: $0) != nil }
    }

    private func logIn() async {
        await phone.device.inside(app.bundleID) { Account.logIn("ann", plan: "gold") }
        await phone.wait("alias and tag are set") { [jpush] in
            jpush.alias(of: $0) == "ann" && jpush.tags(of: $0) == ["gold"]
        }
    }

    @Test("A user who has logged in gets the pushes to the alias and to the tag")
    func aliasAndTag() async throws {
        try await start()
        await logIn()
        await phone.background(app)
        await jpush.push(["aps": ["alert": "Hello Ann"]], to: .alias("ann"))
        await jpush.push(["aps": ["alert": "Hello gold"]], to: .tag("gold", "silver"))
        await jpush.push(["aps": ["alert": "Hello Bob"]], to: .alias("bob"))
        #expect(phone.device.screen.list.map(\.body) == ["Hello gold", "Hello Ann"])
    }

    @Test("A custom message reaches the app in the foreground")
    func customMessage() async throws {
        try await start()
        await jpush.sendMessage("note 42 has changed", to: .all)
        let delegate: AppDelegate? = phone.device.delegate(of: app.bundleID)
        #expect(delegate?.messages == ["note 42 has changed"])
    }

    @Test("After logging out nothing for the old user arrives")
    func logOut() async throws {
        try await start()
        await logIn()
        await phone.device.inside(app.bundleID) { Account.logOut() }
        await phone.wait("alias and tags are gone") { [jpush] in
            jpush.alias(of: $0) == nil && jpush.tags(of: $0).isEmpty
        }
        await phone.background(app)
        let sent = await jpush.push(["aps": ["alert": "Hello Ann"]], to: .alias("ann"))
        #expect(sent.registrationIDs.isEmpty)
        #expect(phone.device.screen.list.isEmpty)
    }
}

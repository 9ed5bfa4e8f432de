import Foundation
import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import TestSupport
import Testing
import UIKit

private let app = InstalledApp(bundleID: "com.example.app")

/// Asks for nothing by itself, and shows everything in the foreground.
private final class QuietApp: UIResponder, UIApplicationDelegate {}

/// The code in pages of the guide, driven.
@Suite("The guide's pages, driven")
@MainActor
struct GuidePageTests {
    private func phone(_ prompts: PromptPolicy = .allow, _ profile: SystemProfile = .iOS(17)) async -> TestPhone {
        let phone = TestPhone(profile, prompts: prompts)
        phone.install(app) { QuietApp() }
        await phone.open(app)
        return phone
    }

    private func allow(_ phone: TestPhone) async throws {
        _ = try await phone.device.inside(app.bundleID) { try await PermissionScreen().askForAll() }
    }

    // MARK: Permission and settings

    @Test("The offers of an app follow from the status and the settings")
    func permission() async throws {
        let phone = await phone(.ask)
        func offer() async -> PermissionScreen.Offer? {
            await phone.device.inside(app.bundleID) { await PermissionScreen().offer() }
        }
        #expect(await offer() == .ask)
        try await phone.device.inside(app.bundleID) { try await PermissionScreen().startQuietly() }
        #expect(phone.device.screen.prompt == nil)
        #expect(await offer() == .fullPermission)

        phone.device.setPrompts(.allow)
        #expect(try await phone.device.inside(app.bundleID) { try await PermissionScreen().askForAll() } == true)
        #expect(await offer() == .nothing)
        phone.device.changeSettings(of: app.bundleID) { $0.showsBanners = false }
        #expect(await offer() == .openSettings)
        phone.device.setNotifications(of: app.bundleID, allowed: false)
        #expect(await offer() == .openSettings)
    }

    @Test("A setting that is off differs from one that was never asked for")
    func sounds() async throws {
        let phone = await phone()
        func explanation() async -> String? {
            await phone.device.inside(app.bundleID) { await PermissionScreen().explanation() }
        }
        #expect(await explanation() == "the app has never asked for sounds")
        try await allow(phone)
        #expect(await explanation() == "sounds are on")
        phone.device.changeSettings(of: app.bundleID) { $0.allowed &= ~SettingsRecord.sound }
        #expect(await explanation() == "the user has switched sounds off")
    }

    @Test("The user decides in a test: at the prompt, and later in Settings")
    func userInTests() async throws {
        let app = InstalledApp(bundleID: "com.example.app", entitlements: [.timeSensitive, .criticalAlerts])
        let phone = TestPhone(.iOS(17))
        phone.install(app) { QuietApp() }
        await phone.open(app)
        try await allow(phone)
        await phone.background(app)

        phone.device.changeSettings(of: app.bundleID) { settings in
            settings.allowed &= ~SettingsRecord.badge
            settings.timeSensitive = false
            settings.showPreviews = 2
        }
        let push = await phone.push(["aps": ["alert": "Hi", "badge": 3]], to: app)
        #expect(phone.device.screen.badges[app.bundleID] == nil)
        #expect(phone.journeys.kinds(of: push).contains(.presented(.banner)))
        #expect(phone.device.screen.banner?.body == "Notification")
    }

    // MARK: Delivered ones

    @Test("A push with the same collapse id takes the place of the entry, and the app reads and removes it")
    func collapse() async throws {
        let phone = await phone()
        try await allow(phone)
        await phone.background(app)

        await phone.push(["aps": ["alert": ["title": "Cup", "body": "1:0"]]], to: app, collapseID: "game-7")
        await phone.push(["aps": ["alert": ["title": "Cup", "body": "2:0"]]], to: app, collapseID: "game-7")
        #expect(phone.device.screen.list.map(\.body) == ["2:0"])

        let score = await phone.device.inside(app.bundleID) { await ScoreBoard().shownScore(of: "game-7") }
        #expect(score == "2:0")
        // What the app adds with that identifier takes the same place.
        try await phone.device.inside(app.bundleID) { try await ScoreBoard().update("game-7", to: "3:0") }
        #expect(phone.device.screen.list.map(\.body) == ["3:0"])
        await phone.device.inside(app.bundleID) { ScoreBoard().didRead("game-7") }
        await phone.device.settled()
        #expect(phone.device.screen.list.isEmpty)
    }

    @Test("Entries of one thread are removed, the others stay; a badge of 0 removes all of them")
    func threads() async throws {
        let phone = await phone()
        try await allow(phone)
        await phone.background(app)
        for (id, team) in [("1", "red"), ("2", "blue"), ("3", "red")] {
            await phone.push(["aps": ["alert": .string(id), "thread-id": .string(team)]], to: app, collapseID: id)
        }
        await phone.device.inside(app.bundleID) { await ScoreBoard().didReadAll(about: "red") }
        await phone.device.settled()
        #expect(phone.device.screen.list.map(\.body) == ["2"])
        try await phone.device.inside(app.bundleID) { try await ScoreBoard().setBadge(4) }
        #expect(phone.device.screen.list.map(\.body) == ["2"] && phone.device.screen.badges[app.bundleID] == 4)
        try await phone.device.inside(app.bundleID) { try await ScoreBoard().setBadge(0) }
        #expect(phone.device.screen.list.isEmpty)
    }

    // MARK: Attachments

    /// An MPEG-4 film of 2.5 seconds.
    private static let film: Data = {
        func bytes(_ number: UInt32) -> Data {
            Data((0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
        }
        func box(_ name: String, _ content: Data) -> Data {
            bytes(UInt32(8 + content.count)) + Data(name.utf8) + content
        }
        let header = Data(count: 12) + bytes(1000) + bytes(2500) + Data(count: 80)
        return box("ftyp", Data("isommp42".utf8)) + box("moov", box("mvhd", header))
    }()

    private static let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0])

    @Test("Each option of an attachment has its effect on the thumbnail")
    func thumbnails() async throws {
        try await withTemporaryFolder { folder in
            func file(_ name: String, _ data: Data) throws -> URL {
                let file = folder.appendingPathComponent(name)
                try data.write(to: file)
                return file
            }
            let phone = await phone()
            try await allow(phone)
            await phone.background(app)
            func shown(_ attachment: UNNotificationAttachment) async throws -> [String] {
                let content = UNMutableNotificationContent()
                content.body = attachment.identifier
                content.attachments = [attachment]
                let request = UNNotificationRequest(identifier: "a", content: content, trigger: nil)
                try await phone.device.inside(app.bundleID) {
                    try await UNUserNotificationCenter.current().add(request)
                }
                guard let thumbnail = try #require(phone.device.screen.list.first).thumbnail else { return [] }
                let part = [thumbnail.part.x, thumbnail.part.y, thumbnail.part.width, thumbnail.part.height]
                return [
                    thumbnail.type, part.map { "\($0)" }.joined(separator: " "), thumbnail.time.map { "\($0)" } ?? "-",
                ]
            }
            let whole = "0.0 0.0 1.0 1.0"
            let png = Self.png
            #expect(try await shown(.init(identifier: "plain", url: file("a.png", png))) == ["public.png", whole, "-"])
            #expect(try await shown(ThumbnailOptions.picture(at: file("noname", png))) == ["public.png", whole, "-"])
            #expect(try await shown(ThumbnailOptions.hidden(at: file("b.png", png))) == [])
            let corner = try await shown(ThumbnailOptions.corner(of: file("c.png", png)))
            #expect(corner == ["public.png", "0.5 0.5 0.5 0.5", "-"])
            let moment = try await shown(ThumbnailOptions.moment(of: file("d.mp4", Self.film)))
            #expect(moment == ["public.mpeg-4", whole, "2.0"])
        }
    }

    // MARK: JPush

    @Test("Alarms through JPush: each trigger, found and removed")
    func alarms() async throws {
        let phone = await phone()
        try await allow(phone)
        await phone.setLocationAccess(of: app, to: .whenInUse)
        let date = phone.clock.date
        let alarms = try #require(
            await phone.device.inside(app.bundleID) {
                let alarms = JPushAlarms()
                alarms.add("five", alarms.inFiveSeconds())
                alarms.add("hour", alarms.everyHour())
                alarms.add("monday", alarms.mondaysAtEight())
                alarms.add("office", alarms.atTheOffice())
                return alarms
            }
        )
        try await eventually("all are added") { alarms.added.count == 4 }
        #expect(alarms.added == ["five", "hour", "monday", "office"])
        await phone.background(app)
        await phone.advance(by: .seconds(5))
        #expect(phone.device.screen.list.map(\.body) == ["five"])
        await phone.device.inside(app.bundleID) {
            alarms.find(delivered: true)
            alarms.find(delivered: false)
        }
        try await eventually("all are found") { alarms.found.count == 4 }
        #expect(alarms.found.sorted() == ["shown five", "waiting hour", "waiting monday", "waiting office"])
        await phone.device.inside(app.bundleID) {
            alarms.remove(["five"], delivered: true)
            alarms.remove(["hour", "monday"], delivered: false)
        }
        await phone.device.settled()
        #expect(phone.device.screen.list.isEmpty)
        #expect(phone.device.pendingRequests(of: app.bundleID).map(\.identifier) == ["office"])
        #expect(phone.clock.date == date.addingTimeInterval(5))
    }

    @Test("Before iOS 10 an alarm through JPush fires on its date")
    func oldAlarm() async throws {
        let phone = await phone(.allow, .iOS(9))
        let date = phone.clock.date.addingTimeInterval(60)
        await phone.device.inside(app.bundleID) {
            let settings = UIUserNotificationSettings(types: [.alert, .badge], categories: nil)
            UIApplication.shared.registerUserNotificationSettings(settings)
            let alarms = JPushAlarms()
            alarms.add("old", alarms.on(date))
        }
        await phone.background(app)
        await phone.advance(by: .seconds(59))
        #expect(phone.device.screen.list.isEmpty)
        await phone.advance(by: .seconds(1))
        #expect(phone.device.screen.list.map(\.body) == ["old"])
    }
}

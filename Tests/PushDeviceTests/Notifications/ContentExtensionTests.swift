import CallbackMatrix
import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit
import UserNotificationsUI

/// Shows the notification's title, and answers a button with what the test wants.
private final class Expanded: UIViewController, UNNotificationContentExtension {
    var option = UNNotificationContentExtensionResponseOption.dismiss

    convenience init(_ option: UNNotificationContentExtensionResponseOption) {
        self.init()
        self.option = option
    }

    func didReceive(_ notification: UNNotification) {
        title = notification.request.content.title
        guard title == "Hi", isViewLoaded else { return }
    }

    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        completion(option)
    }
}

/// Plays, with a button of the system's, and does what its context can.
private final class Player: UIViewController, UNNotificationContentExtension {
    var played: [String] = []
    var frameAtLoad = CGRect.zero
    var hasContextAtLoad = false

    override func viewDidLoad() {
        frameAtLoad = view.frame
        hasContextAtLoad = extensionContext != nil
    }

    func didReceive(_ notification: UNNotification) { title = "Player" }

    var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType { .overlay }
    var mediaPlayPauseButtonFrame: CGRect { CGRect(x: 1, y: 2, width: 44, height: 40) }
    var mediaPlayPauseButtonTintColor: UIColor { .red }
    func mediaPlay() { played.append("play") }
    func mediaPause() { played.append("pause") }
}

/// Shows, and leaves the buttons to the app.
private final class Plain: UIViewController, UNNotificationContentExtension {
    func didReceive(_ notification: UNNotification) {}
}

@Suite("Content extensions")
@MainActor
struct ContentExtensionTests {
    private func run(
        _ make: @escaping @MainActor @Sendable () -> any UIViewController & UNNotificationContentExtension
    ) async -> (phone: TestPhone, push: String, responses: Int) {
        let phone = TestPhone()
        phone.install(.lab, contentExtensions: ["quiet": make]) { CompleteMatrixApp.make(MatrixAppPlan()) }
        await phone.open(.lab)
        await phone.background(.lab)
        let push = await phone.push(
            ["aps": ["alert": ["title": "Hi", "body": "there"], "category": "quiet"]],
            to: .lab
        )
        await phone.perform { _ = $0.longPress(push) }
        #expect(await phone.choose("later", on: push) == .done)
        let app = phone.device.delegate(of: InstalledApp.lab.bundleID, as: CompleteMatrixApp.self)
        return (phone, push, app?.responses.count ?? -1)
    }

    @Test("doNotDismiss keeps view and entry, dismiss takes both, and only forwarding tells the app")
    func options() async {
        let stay = await run { Expanded(.doNotDismiss) }
        #expect(stay.responses == 0 && stay.phone.device.screen.list.count == 1)
        let close = await run { Expanded(.dismiss) }
        #expect(close.responses == 0 && close.phone.device.screen.list.isEmpty)
        #expect(close.phone.journeys.kinds(of: close.push).last == .acted("later"))
        let forward = await run { Expanded(.dismissAndForwardAction) }
        #expect(forward.responses == 1 && forward.phone.device.screen.list.isEmpty)
    }

    @Test("Without a method for buttons the app hears of them; the extension ran first")
    func forwards() async {
        let plain = await run { Plain() }
        #expect(plain.responses == 1)
        #expect(
            plain.phone.journeys.callbacks(of: plain.push) == [
                "UNNotificationContentExtension.didReceive(_:)@background",
                "userNotificationCenter(_:didReceive:withCompletionHandler:)@background",
            ]
        )
    }

    @Test("Another category has no extension; a closed view asks it no more")
    func others() async {
        let phone = TestPhone()
        phone.install(.lab, contentExtensions: ["quiet": { Expanded(.doNotDismiss) }]) {
            CompleteMatrixApp.make(MatrixAppPlan())
        }
        await phone.open(.lab)
        await phone.background(.lab)
        for category in ["hears", "quiet"] {
            let push = await phone.push(["aps": ["alert": "a", "category": .string(category)]], to: .lab)
            await phone.perform { _ = $0.longPress(push) }
            await phone.perform { $0.closeExpanded() }
            await phone.choose("later", on: push)
        }
        let app = phone.device.delegate(of: InstalledApp.lab.bundleID, as: CompleteMatrixApp.self)
        #expect(app?.responses.count == 2)
    }

    @Test("A tap on the expanded view opens the app and closes the view")
    func tapped() async {
        let phone = TestPhone()
        phone.install(.lab, contentExtensions: ["quiet": { Expanded(.doNotDismiss) }]) {
            CompleteMatrixApp.make(MatrixAppPlan())
        }
        await phone.open(.lab)
        await phone.background(.lab)
        for _ in 0..<2 {
            let push = await phone.push(
                ["aps": ["alert": "a", "category": "quiet"]],
                to: .lab,
                collapseID: "same"
            )
            await phone.perform { _ = $0.longPress(push) }
            #expect(await phone.tap(push))
            await phone.background(.lab)
        }
        let app = phone.device.delegate(of: InstalledApp.lab.bundleID, as: CompleteMatrixApp.self)
        #expect(app?.details == ["default", "default"])
        #expect(phone.device.screen.list.isEmpty)
    }

    // MARK: Media, context and Info.plist

    private static func info(_ more: JSONObject = [:]) -> JSONObject {
        var attributes: JSONObject = [
            "UNNotificationExtensionCategory": ["quiet", "hears"],
            "UNNotificationExtensionInitialContentSizeRatio": 0.5,
        ]
        for member in more.members { attributes[member.key] = member.value }
        return ["NSExtension": ["NSExtensionAttributes": .object(attributes)]]
    }

    /// A phone on which the notification of a push is expanded, with a player in it.
    private func player(
        _ info: JSONObject = ContentExtensionTests.info(),
        on profile: SystemProfile = .iOS(17)
    ) async throws -> (phone: TestPhone, player: Player, push: String) {
        final class Made { var player: Player? }
        let made = Made()
        let phone = TestPhone(profile)
        let declared = try ContentExtension(info: info) {
            let player = Player()
            made.player = player
            return player
        }
        phone.install(.lab, contentExtensions: [declared]) { CompleteMatrixApp.make(MatrixAppPlan()) }
        await phone.open(.lab)
        await phone.background(.lab)
        let push = await phone.push(["aps": ["alert": "a", "category": "quiet"]], to: .lab)
        await phone.perform { _ = $0.longPress(push) }
        return (phone, try #require(made.player), push)
    }

    private func app(_ phone: TestPhone) throws -> CompleteMatrixApp {
        try phone.delegate(CompleteMatrixApp.self)
    }

    @Test("The system's button plays and pauses; what the extension does by itself changes its sign")
    func media() async throws {
        let (phone, player, push) = try await player()
        let button = phone.device.screen.expanded?.content?.mediaButton
        #expect(button?.isOverlay == true && button?.frame == [1, 2, 44, 40] && button?.tint == [1, 0, 0, 1])
        #expect(phone.device.screen.expanded?.isPlaying == false)
        #expect(await phone.perform { $0.pressPlayPause() })
        #expect(phone.device.screen.expanded?.isPlaying == true)
        #expect(await phone.perform { $0.pressPlayPause() })
        #expect(player.played == ["play", "pause"])
        player.extensionContext?.mediaPlayingStarted()
        #expect(phone.device.screen.expanded?.isPlaying == true)
        #expect(await phone.perform { $0.pressPlayPause() })
        #expect(player.played == ["play", "pause", "pause"])
        player.extensionContext?.mediaPlayingPaused()
        #expect(phone.device.screen.expanded?.isPlaying == false)
        #expect(
            phone.journeys.callbacks(of: push).prefix(2) == [
                "UNNotificationContentExtension.didReceive(_:)@background",
                "UNNotificationContentExtension.mediaPlay()@background",
            ]
        )
        await phone.perform { $0.closeExpanded() }
        #expect(await phone.perform { $0.pressPlayPause() } == false)
    }

    @Test("An extension without the properties has no button for media")
    func noMedia() async {
        let (phone, push, _) = await run { Expanded(.doNotDismiss) }
        #expect(phone.device.screen.expanded?.id == push)
        #expect(phone.device.screen.expanded?.content != nil)
        #expect(phone.device.screen.expanded?.content?.mediaButton == nil)
        #expect(await phone.perform { $0.pressPlayPause() } == false)
    }

    @Test("The extension's own buttons take the category's place until the view closes, and reach the app")
    func actions() async throws {
        let (phone, player, push) = try await player()
        let context = try #require(player.extensionContext)
        let first = context.notificationActions.map(\.identifier)
        #expect(first.contains("later") && first == phone.device.screen.expanded?.actions.map(\.identifier))
        context.notificationActions = [UNNotificationAction(identifier: "like", title: "Like")]
        #expect(context.notificationActions.map(\.title) == ["Like"])
        #expect(phone.device.screen.expanded?.actions.map(\.identifier) == ["like"])
        #expect(await phone.perform { $0.choose("later", on: push) } == .noSuchAction)
        #expect(await phone.choose("like", on: push) == .done)
        #expect(try app(phone).responses.map(\.actionIdentifier) == ["like"])
        #expect(phone.device.screen.expanded == nil)
    }

    @Test("The context opens the app, or closes the view and leaves the entry")
    func context() async throws {
        let (closing, first, _) = try await player()
        first.extensionContext?.dismissNotificationContentExtension()
        await closing.device.settled()
        #expect(closing.device.screen.expanded == nil && closing.device.screen.list.count == 1)
        #expect(try app(closing).responses.isEmpty)
        let (opening, second, _) = try await player()
        second.extensionContext?.performNotificationDefaultAction()
        await opening.device.settled()
        #expect(opening.device.screen.expanded == nil && opening.device.screen.front == InstalledApp.lab.bundleID)
        #expect(try app(opening).responses.map(\.actionIdentifier) == [UNNotificationDefaultActionIdentifier])
    }

    @Test("The Info.plist decides on size, title, default content and touch")
    func info() async throws {
        let (plain, player, push) = try await player()
        #expect(player.frameAtLoad == CGRect(x: 0, y: 0, width: 390, height: 195) && player.hasContextAtLoad)
        let usual = plain.device.screen.expanded
        #expect(usual?.title == "Lab" && usual?.defaultContent?.body == "a" && usual?.content?.height == 195)
        #expect(await plain.tap(push))
        #expect(try app(plain).responses.count == 1)

        let (own, _, touched) = try await self.player(
            Self.info([
                "UNNotificationExtensionDefaultContentHidden": true,
                "UNNotificationExtensionOverridesDefaultTitle": true,
                "UNNotificationExtensionUserInteractionEnabled": true,
            ])
        )
        let changed = own.device.screen.expanded
        #expect(changed?.title == "Player" && changed?.defaultContent == nil)
        #expect(await own.tap(touched))
        #expect(own.device.screen.expanded != nil && own.device.screen.front == nil)
        #expect(try app(own).responses.isEmpty)
    }

    @Test(
        "Touches go to the extension's view from iOS 12 on; before, a tap opens the app",
        arguments: [10, 11, 12, 17]
    )
    func touches(_ major: Int) async throws {
        let info = Self.info(["UNNotificationExtensionUserInteractionEnabled": true])
        let (phone, _, push) = try await player(info, on: .iOS(major))
        #expect(await phone.tap(push))
        #expect((phone.device.screen.front == nil) == (major >= 12))
        #expect(try app(phone).responses.count == (major >= 12 ? 0 : 1))
    }

    @Test("An Info.plist needs a category and a ratio; the error names the key")
    func badInfo() {
        #expect(throws: ContentExtensionInfo.Problem.self) { try ContentExtensionInfo(info: [:]) }
        let attributes: JSONValue = ["UNNotificationExtensionCategory": "a"]
        do {
            _ = try ContentExtensionInfo(info: ["NSExtension": ["NSExtensionAttributes": attributes]])
            Issue.record("It was accepted without a ratio.")
        } catch {
            #expect(
                error.description
                    == "The content extension's Info.plist needs UNNotificationExtensionInitialContentSizeRatio in "
                    + "NSExtension.NSExtensionAttributes: a number above 0."
            )
        }
    }
}

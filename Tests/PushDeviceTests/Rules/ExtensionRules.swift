import CallbackMatrix
import Foundation
import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import TestSupport
import Testing
import UIKit
import UserNotificationsUI

private let lab = InstalledApp.lab.bundleID

/// Does with each push what its key `do` says.
private final class ObedientExtension: UNNotificationServiceExtension {
    private var count = 0

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        count += 1
        guard let best = request.content.mutableCopy() as? UNMutableNotificationContent else { return }
        best.title = "\(count)"
        switch request.content.userInfo["do"] as? String {
        case "twice":
            contentHandler(best)
            best.title = "second"
            contentHandler(best)
        case "nothing":
            break
        case "process":
            best.title = "delegate \(UNUserNotificationCenter.current().delegate == nil)"
            contentHandler(best)
        case "file":
            let url = URL(fileURLWithPath: request.content.userInfo["file"] as? String ?? "")
            best.attachments = [try? UNNotificationAttachment(identifier: "f", url: url)].compactMap { $0 }
            contentHandler(best)
        case "category":
            best.categoryIdentifier = "quiet"
            best.threadIdentifier = "thread"
            best.sound = UNNotificationSound(named: UNNotificationSoundName("bell.caf"))
            contentHandler(best)
        default:
            contentHandler(best)
        }
    }
}

/// Never answers, until its time has expired and a little longer.
private final class HoldingExtension: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {}
}

/// Leaves both methods as they are.
private final class IdleExtension: UNNotificationServiceExtension {}

@Suite("Rules of extensions")
@MainActor
struct ExtensionRules {
    private func opened(
        prompts: PromptPolicy = .allow,
        _ make: @escaping @MainActor @Sendable () -> UNNotificationServiceExtension = { ObedientExtension() }
    ) async -> TestPhone {
        let phone = TestPhone(prompts: prompts)
        phone.install(.lab, serviceExtension: make) { CompleteMatrixApp.make(MatrixAppPlan()) }
        await phone.open(.lab)
        await phone.background(.lab)
        return phone
    }

    private func mutable(_ act: String = "") -> JSONValue {
        ["aps": ["alert": ["title": "Ann", "body": "Hello"], "mutable-content": 1], "do": .string(act)]
    }

    private func ran(_ phone: TestPhone, _ id: String) -> Bool {
        phone.journeys.callbacks(of: id).contains { $0.hasPrefix("UNNotificationServiceExtension") }
    }

    @Test("A service extension runs for an alert with mutable-content, and for nothing else")
    func when() async throws {
        let phone = await opened()
        let pushes: [(JSONValue, Bool)] = [
            (mutable(), true), (["aps": ["alert": "Hi", "mutable-content": true]], true), (.texted([:]), false),
            (.texted(["mutable-content": 0]), false), (["aps": ["content-available": 1, "mutable-content": 1]], false),
            (["aps": ["badge": 1, "sound": "default", "mutable-content": 1]], false),
        ]
        for (json, expected) in pushes {
            let push = await phone.push(json, to: .lab)
            #expect(ran(phone, push) == expected, "\(json.text)")
        }
    }

    @Test("A local notification never runs it")
    func local() async throws {
        let phone = await opened()
        let content = UNMutableNotificationContent()
        content.title = "Local"
        content.userInfo = ["aps": ["mutable-content": 1]]
        let request = UNNotificationRequest(identifier: "a", content: content, trigger: nil)
        try await phone.inCentre { try await $0.add(request) }
        #expect(phone.device.screen.list.map(\.title) == ["Local"])
        #expect(!ran(phone, phone.local("a", of: .lab)))
    }

    @Test("It does not run where the app may not alert", arguments: [PromptPolicy.deny, .ask])
    func notAllowed(_ prompts: PromptPolicy) async {
        let phone = await opened(prompts: prompts)
        let push = await phone.push(mutable(), to: .lab)
        #expect(!ran(phone, push) && phone.device.screen.list.isEmpty)
    }

    @Test("It runs whatever the app does, even after a force-quit, which it does not end", arguments: [0, 1, 2, 3])
    func anyState(_ state: Int) async {
        let phone = await opened()
        if state == 0 { await phone.open(.lab) }
        if state == 2 { await phone.terminate(.lab) }
        if state == 3 { await phone.forceQuit(.lab) }
        let before = phone.device.condition(of: lab)
        await phone.push(mutable(), to: .lab)
        #expect(phone.device.screen.list.map(\.title) == ["1"])
        #expect(phone.device.condition(of: lab) == before)
    }

    @Test("The first of two calls of its handler wins")
    func firstCallWins() async {
        let phone = await opened()
        await phone.push(mutable("twice"), to: .lab)
        #expect(phone.device.screen.list.map(\.title) == ["1"])
    }

    @Test("Each push has an instance of its own")
    func instances() async {
        let phone = await opened()
        for _ in 0..<3 { await phone.push(mutable(), to: .lab) }
        #expect(phone.device.screen.list.map(\.title) == ["1", "1", "1"])
    }

    @Test("A push whose extension crashes is shown as it came; the next one has an extension again")
    func crash() async {
        let phone = await opened()
        let push = await phone.push(mutable("nothing"), to: .lab)
        await phone.perform { $0.crashServiceExtensions(of: lab) }
        #expect(phone.device.screen.list.map(\.title) == ["Ann"])
        #expect(phone.journeys.kinds(of: push).contains(.serviceExtension(.crashed)))
        await phone.advance(by: .seconds(60))
        #expect(phone.device.screen.list.count == 1)
        await phone.push(mutable(), to: .lab)
        #expect(phone.device.screen.list.map(\.title) == ["1", "Ann"])
    }

    @Test("Category, thread and sound count as the extension left them")
    func asLeft() async throws {
        let phone = await opened()
        let push = await phone.push(mutable("category"), to: .lab)
        #expect(phone.device.longPress(push).map(\.identifier) == ["later", "show", "answer"])
        let content = try #require(phone.device.screen.list.first?.notification.content)
        #expect(content.threadIdentifier == "thread" && content.sound?.name == "bell.caf")
        #expect(content.userInfo["do"] == "category")
    }

    @Test("It runs in a process of its own: the app's delegate is not there")
    func process() async {
        let phone = await opened()
        await phone.push(mutable("process"), to: .lab)
        #expect(phone.device.screen.list.map(\.title) == ["delegate true"])
        let inApp = await phone.inCentre { $0.delegate != nil }
        #expect(inApp == true)
    }

    @Test("The file that an extension attaches is moved when it is done")
    func movesFile() async throws {
        let phone = await opened()
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "picture.gif")
            try Data("GIF89a......".utf8).write(to: file)
            await phone.push(
                ["aps": ["alert": "Hi", "mutable-content": 1], "do": "file", "file": .string(file.path)],
                to: .lab
            )
            let stored = try #require(phone.device.screen.list.first?.notification.content.attachments.first)
            #expect(stored.type == "com.compuserve.gif" && FileManager.default.fileExists(atPath: stored.path))
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test("The methods that an extension does not override hand the content on")
    func inherited() async {
        let phone = await opened { IdleExtension() }
        let push = await phone.push(mutable(), to: .lab)
        #expect(phone.device.screen.list.map(\.title) == ["Ann"])
        #expect(phone.journeys.kinds(of: push).contains(.serviceExtension(.ran)))
    }

    @Test("A push with mutable-content is acknowledged when it is shown, changed or as it came")
    func acknowledged() async throws {
        let phone = await opened { HoldingExtension() }
        let slow = await phone.push(mutable(), to: .lab)
        #expect(phone.courier.acknowledged == [] && phone.device.screen.list.isEmpty)
        // On a new link it comes again, and is in work already.
        phone.courier.drop(phone.device.id)
        await phone.advance(by: .seconds(2))
        #expect(phone.device.isConnected && phone.courier.acknowledged == [])
        await phone.advance(by: .seconds(27))
        #expect(phone.courier.acknowledged == [])
        await phone.advance(by: .seconds(6))
        #expect(phone.courier.acknowledged == [slow])
        #expect(phone.device.screen.list.map(\.title) == ["Ann"])
        let plain = await phone.push(.texted([:]), to: .lab)
        #expect(phone.courier.acknowledged == [slow, plain])
    }

    @Test("A device that ends while the extension works gets the push again, and shows it once")
    func endsWhileWorking() async throws {
        let phone = await opened { HoldingExtension() }
        let push = await phone.push(mutable(), to: .lab)
        phone.device.shutdown()
        let next = Device(
            name: "iPhone",
            profile: .iOS(17),
            clock: phone.clock,
            dialer: phone.dialer,
            journeys: phone.journeys,
            random: SplitMix(seed: 1),
            prompts: .allow
        )
        next.install(.lab, serviceExtension: { IdleExtension() }) { CompleteMatrixApp.make(MatrixAppPlan()) }
        next.open(lab)
        await next.settled()
        next.background(lab)
        #expect(next.id == phone.device.id)
        next.connect(courier: TestPhone.courierURL)
        await next.settled()
        #expect(phone.courier.acknowledged == [push] && next.screen.list.map(\.id) == [push])
        next.shutdown()
    }

    @Test("The answers of a content extension are doNotDismiss 0, dismiss 1, dismissAndForwardAction 2")
    func contentAnswers() {
        let answers: [UNNotificationContentExtensionResponseOption] = [
            .doNotDismiss, .dismiss, .dismissAndForwardAction,
        ]
        #expect(answers.map(\.rawValue) == [0, 1, 2])
    }
}

import DeviceLink
import PosthornTesting
import PushDevice
import PushLab
import PushModel
import SystemPort
import TestSupport
import Testing
import UIKit

@Suite("PushLab's set-up on each iOS", .suiteLimit)
@MainActor
struct PushLabSetupTests {
    @Test("Each branch asks, gets a token, and registers with the service", arguments: [7, 8, 9, 10, 13, 17])
    func branches(_ major: Int) async throws {
        let stage = await LabStage(major)
        let lab = try stage.lab
        try await eventually("the app has a registration id") { lab.registrationID != nil }
        let token = try #require(stage.phone.device.token(of: stage.app.bundleID))
        try await eventually("the token was sent") {
            stage.service.requests.contains(.token(token, .development))
        }
        #expect(stage.phone.device.settings(of: stage.app.bundleID)?.status == 2)
        // Each generation is answered in its own way.
        let granted = "application(_:didRegister:)"
        let status = "jpushNotificationAuthorization(_:withInfo:)"
        if major >= 10 {
            try await eventually("the app is told the authorization") { lab.log.lines.contains { $0.name == status } }
        }
        let answers = try stage.names.filter { [granted, status].contains($0) }
        #expect(answers == (major < 8 ? [] : major < 10 ? [granted] : [status]))
    }

    @Test("The buttons that each branch has registered", arguments: [7, 8, 9, 10, 17])
    func buttons(_ major: Int) async throws {
        let stage = await LabStage(major)
        await stage.phone.background(stage.app)
        let offer = await stage.push(["category": "offer"])
        #expect(stage.phone.device.longPress(offer).map(\.title) == (major < 8 ? [] : ["Have a look", "Ignore"]))
        stage.phone.device.closeExpanded()
        let message = await stage.push(["category": "message"])
        let reply = stage.phone.device.longPress(message)
        #expect(reply.map(\.title) == (major < 8 ? [] : ["Reply"]))
        #expect(reply.first?.textInput?.buttonTitle == (major < 9 ? nil : "Send"))
    }

    @Test(
        "A push in front, one that is tapped, and one that launches the app: the callbacks of each branch",
        arguments: [7, 8, 9, 10, 17]
    )
    func callbacks(_ major: Int) async throws {
        let stage = await LabStage(major)
        let fetch = "application(_:didReceiveRemoteNotification:fetchCompletionHandler:)"
        let (present, receive) =
            major < 10
            ? ("\(fetch) active", "\(fetch) inactive")
            : (
                "jpushNotificationCenter(_:willPresent:withCompletionHandler:) active",
                "jpushNotificationCenter(_:didReceive:withCompletionHandler:) inactive"
            )
        func told() throws -> [String] {
            try stage.lab.log.lines.map { "\($0.name) \($0.state)" }.filter { $0 == present || $0 == receive }
        }
        let first = await stage.push()
        _ = await stage.phone.journeys.first(of: first) { kind in
            if case .callback = kind { true } else { false }
        }
        await stage.phone.background(stage.app)
        let second = await stage.push(link: "pushlab://order/42")
        #expect(try stage.lab.page == .log)
        await stage.phone.tap(second)
        #expect(try told() == [present, receive])
        #expect(try stage.lab.page == .order("42"))
        await stage.phone.background(stage.app)
        let third = await stage.push(link: "pushlab://reminders")
        await stage.phone.forceQuit(stage.app)
        await stage.phone.tap(third)
        #expect(try told() == [receive])
        #expect(try stage.lab.page == .reminders)
        // The launch had the payload too; in an app with scenes the connection has it.
        let lines = try stage.lab.log.lines
        #expect(lines.first?.detail == (major < 13 ? "aps link" : ""))
        let connection = lines.first { $0.name == "scene(_:willConnectTo:options:)" }?.detail
        #expect(connection?.hasPrefix("notificationResponse") == (major < 13 ? nil : true))
    }

    @Test("Before iOS 10 a push that arrives while something covers the app in front is no tap", arguments: [7, 8, 9])
    func covered(_ major: Int) async throws {
        let stage = await LabStage(major)
        // The second time on the way back from the background.
        for _ in 0..<2 {
            let result = try await stage.inside { lab in
                await withCheckedContinuation { answer in
                    lab.application(
                        CoveredApplication(),
                        didReceiveRemoteNotification: ["link": "pushlab://order/42", "download": "nonsense"]
                    ) { answer.resume(returning: $0) }
                }
            }
            #expect(result == .failed)
            let notification = UILocalNotification()
            notification.userInfo = ["link": "pushlab://order/42"]
            try await stage.inside { $0.application(CoveredApplication(), didReceive: notification) }
            #expect(try stage.lab.page == .log)
            await stage.phone.background(stage.app)
            await stage.phone.open(stage.app)
        }
    }

    @Test("Buttons work, in front and behind", arguments: [8, 9, 10, 17])
    func choices(_ major: Int) async throws {
        let stage = await LabStage(major)
        await stage.phone.background(stage.app)
        let ignored = await stage.push(["category": "offer"], link: "pushlab://order/1")
        await stage.phone.perform { $0.lock() }
        #expect(await stage.phone.choose("ignore", on: ignored) == .waitsForUnlock)
        await stage.phone.perform { $0.unlock() }
        #expect(try stage.lab.page == .log)
        #expect(stage.phone.device.condition(of: stage.app.bundleID) != .active)
        let seen = await stage.push(["category": "offer"], link: "pushlab://order/2")
        #expect(await stage.phone.choose("see", on: seen) == .done)
        #expect(try stage.lab.page == .order("2"))
        #expect(stage.phone.device.condition(of: stage.app.bundleID) == .active)
        let expected =
            switch major {
            case 8: "application(_:handleActionWithIdentifier:forRemoteNotification:completionHandler:)"
            case 9:
                "application(_:handleActionWithIdentifier:forRemoteNotification:withResponseInfo:completionHandler:)"
            default: "jpushNotificationCenter(_:didReceive:withCompletionHandler:)"
            }
        #expect(try stage.names.filter { $0 == expected }.count == 2)
    }

    @Test("An answer in text comes to the app where it is; iOS 8 opens it instead", arguments: [8, 9, 10, 17])
    func reply(_ major: Int) async throws {
        let stage = await LabStage(major)
        await stage.phone.background(stage.app)
        let message = await stage.push(["category": "message"], link: "pushlab://order/7")
        guard major > 8 else {
            #expect(await stage.phone.choose("reply", on: message) == .done)
            #expect(try stage.lab.page == .order("7"))
            return
        }
        #expect(await stage.phone.reply("On my way", with: "reply", to: message) == .done)
        #expect(try stage.lab.replies == ["On my way"])
        #expect(try stage.lab.page == .log)
        #expect(stage.phone.device.condition(of: stage.app.bundleID) != .active)
    }

    @Test("Clearing an offer is told, clearing anything else is not")
    func clearing() async throws {
        let stage = await LabStage(17)
        await stage.phone.background(stage.app)
        await stage.phone.dismiss(await stage.push(["category": "offer"]))
        await stage.phone.dismiss(await stage.push(["category": "message"]))
        let told = try stage.lab.log.lines.filter { $0.name.contains("didReceive") }.map(\.detail)
        #expect(told == ["\(UNNotificationDismissActionIdentifier) remote Shop"])
    }

    @Test("A push that asks for no download is answered at once, without new data", arguments: [7, 9, 17])
    func nothingToFetch(_ major: Int) async {
        let stage = await LabStage(major)
        await stage.phone.background(stage.app)
        let push = await stage.phone.push(["aps": ["content-available": 1]], to: stage.app)
        #expect(stage.phone.journeys.kinds(of: push).last == .finished(.noData))
    }
}

/// In front, under the Control Centre.
private final class CoveredApplication: UIApplication {
    override var applicationState: State { .inactive }
}

import DeviceLink
import Foundation
import PosthornTesting
import PushDevice
import PushLab
import PushModel
import TestSupport
import Testing

@Suite("PushLab's links", .suiteLimit)
@MainActor
struct PushLabLinkTests {
    @Test(
        "A link leads to its page",
        arguments: [
            ("pushlab://log", .log), ("pushlab://reminders", .reminders),
            ("pushlab://settings", .settings), ("PushLab://Order/A-42", .order("A-42")),
            ("pushlab://order/42?from=push", .order("42")), ("pushlab://order/42/", .order("42")),
        ] as [(String, DeepLink.Page)]
    )
    func pages(_ text: String, _ page: DeepLink.Page) throws {
        let url = try #require(URL(string: text))
        #expect(DeepLink(url)?.page == page)
        #expect(DeepLink(userInfo: ["aps": [:], "link": text])?.page == page)
    }

    @Test(
        "A link of another form leads nowhere",
        arguments: [
            "https://example.com/order/42", "pushlab://", "pushlab://order", "pushlab://order/1/2",
            "pushlab://order/..",
            "pushlab://order/a%20b", "pushlab://order/é", "pushlab://elsewhere", "", "order/42",
            "pushlab://order/\(String(repeating: "1", count: 33))",
        ]
    )
    func nowhere(_ text: String) { #expect(DeepLink(userInfo: ["link": text]) == nil) }

    @Test("A payload without a text under the key leads nowhere")
    func otherPayloads() {
        #expect(DeepLink(userInfo: [:]) == nil)
        #expect(DeepLink(userInfo: ["link": 42]) == nil)
        #expect(DeepLink(userInfo: ["link": ["pushlab://log"]]) == nil)
    }

    @Test("A push with another app's link leaves the page as it is")
    func foreign() async throws {
        let stage = await LabStage(17)
        await stage.phone.background(stage.app)
        await stage.phone.tap(await stage.push(link: "https://example.com"))
        #expect(try stage.lab.page == .log)
    }

    @Test("A URL that another app opens leads to the same page")
    func opened() async throws {
        let stage = await LabStage(17)
        await stage.phone.background(stage.app)
        let url = try #require(URL(string: "pushlab://order/9"))
        #expect(await stage.phone.perform { $0.openURL(url) })
        #expect(try stage.lab.page == .order("9"))
        #expect(try stage.lab.log.lines.last { $0.name == "page" }?.detail == "order(\"9\")")
    }

    @Test("An in-app message is shown on each of the app's pages, and its tap opens its link")
    func inApp() async throws {
        let stage = await LabStage(17)
        await stage.phone.perform { $0.setNotifications(of: stage.app.bundleID, allowed: false) }
        for (number, page) in [(1, DeepLink.Page.order("42")), (2, .reminders), (3, .log)] {
            let link = page == .order("42") ? "order/42" : "\(page)"
            stage.service.send(
                SDKMessage(
                    position: Int64(number),
                    messageID: 9_007_199_254_740_992 + Int64(number),
                    content: "Look",
                    title: "Shop",
                    extras: ["link": .string("pushlab://\(link)")],
                    isInApp: true
                )
            )
            try await eventually("the in-app message is shown") { stage.phone.device.screen.inApp != nil }
            let shown = try #require(stage.phone.device.screen.inApp)
            #expect(shown.title == "Shop")
            #expect(await stage.phone.tap(shown.id))
            try await eventually("the link's page is open") { try stage.lab.page == page }
        }
        let names = try stage.names.filter { $0.hasPrefix("jPush(") }
        let each = ["jPush(inAppMessageDidShow:)", "jPush(inAppMessageDidClick:)"]
        #expect(names == each + each + each)
    }
}

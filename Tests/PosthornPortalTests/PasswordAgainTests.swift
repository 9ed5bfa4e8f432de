import Foundation
import PosthornStack
import PushClock
import PushService
import TestSupport
import Testing

@testable import PosthornPortal

@Suite("What the portal asks the password again for", .suiteLimit)
struct PasswordAgainTests {
    /// A call by the administrator's page.
    private struct Call {
        var method = "POST"
        var path: String
        var body = ""
    }

    /// Calls that decide who gets a push that is sent later, in a path below the app.
    private static let deciding = [
        Call(method: "PUT", path: "posthorn/v1/segments/a", body: "{}"),
        Call(method: "DELETE", path: "posthorn/v1/segments/a"),
        Call(method: "PUT", path: "posthorn//v1/segments/a", body: "{}"),
        Call(method: "PUT", path: "posthorn/v1/topics", body: #"{"topics":[]}"#),
        Call(path: "posthorn/v1/devices/import", body: #"{"devices":[]}"#),
        Call(path: "v3/tags/news", body: #"{"registration_ids":{"add":["r0","r1"],"remove":["r2"]}}"#),
        Call(method: "DELETE", path: "v3/tags/some?platform=ios"),
    ]

    @Test("A schedule to a segment for nobody cannot be widened to everybody without the password")
    func widened() async throws {
        let clock = TurnableClock()
        try await PortalBrowser.run(clock) { stack, browser, password in
            let token = try await browser.signIn("ana", password)
            let app = "/api/apps/\(stack.api.appKey)/"
            let devices = (0..<4).map { number in
                let digits = String(repeating: "\(number)", count: 64)
                return #"{"registration_id":"r\#(number)","token":"\#(digits)","tags":["some"]}"#
            }
            let imported = try await stack.api.post(
                "/posthorn/v1/devices/import",
                Array(#"{"devices":[\#(devices.joined(separator: ","))]}"#.utf8)
            )
            #expect(imported.status == 200)
            let nobody = #"{"audience":{"tag":["nobody"]}}"#
            #expect(try await browser.call("PUT", app + "posthorn/v1/segments/a", nobody, token: token).status == 200)
            browser.core.settings.value.operators.devicesWithoutPassword = 2
            clock.turn(by: .seconds(Session.freshness))
            // Two days on: where schedules are in China's time, midnight of tomorrow's date in UTC may have passed.
            let day = clock.date.addingTimeInterval(2 * 86_400).formatted(.iso8601).prefix(10)
            let schedule = #"""
                {"name":"s","enabled":true,"trigger":{"single":{"time":"\#(day) 00:00:00"}},"push":{"platform":"all",
                "audience":{"segment":["a"]},"notification":{"alert":"Hello"}}}
                """#
            let made = try await browser.call("POST", app + "v3/schedules", schedule, token: token)
            #expect(made.status == 200, "\(made)")
            for call in Self.deciding {
                let answer = try await browser.call(call.method, app + call.path, call.body, token: token)
                #expect(answer.status == 403 && answer.1.contains("authenticate_again"), "\(call): \(answer)")
            }
            let one = #"{"registration_ids":{"add":["r0"]}}"#
            #expect(try await browser.call("POST", app + "v3/tags/news", one, token: token).status == 200)
            #expect(try await browser.call("GET", app + "posthorn/v1/segments/a", token: token).status == 200)
        }
    }

    @Test(
        "Secrets, groups, and what cannot be undone need the password",
        arguments: [
            "group.create", "group.change", "group.rotate_secret", "group.delete", "developer.create",
            "developer.enable",
            "developer.rotate_secret", "developer.delete", "app.rotate_secret", "app.end_secret", "app.delete",
            "credential.add", "user.create",
        ]
    )
    func operations(_ operation: String) async throws {
        let clock = TurnableClock()
        try await PortalBrowser.run(clock) { stack, browser, password in
            let token = try await browser.signIn("ana", password)
            let path = "/api/operator/\(operation)"
            let before = try await browser.call("POST", path, "{}", token: token)
            #expect(!before.1.contains("authenticate_again"), "\(before)")
            clock.turn(by: .seconds(Session.freshness))
            let after = try await browser.call("POST", path, "{}", token: token)
            #expect(after.status == 403 && after.1.contains("authenticate_again"), "\(after)")
        }
    }
}

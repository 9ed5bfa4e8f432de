import Foundation
import PosthornStack
import PushClock
import PushModel
import TestSupport
import Testing

@testable import PosthornPortal

@Suite("Pushes to everyone from the portal", .suiteLimit)
struct BroadcastTests {
    /// Registers devices with the registration ids `r0`, `r1` and so on.
    private static func register(_ count: Int, at stack: Stack) async throws {
        let devices = (0..<count).map { number in
            #"{"registration_id":"r\#(number)","token":"\#(String(repeating: "\(number)", count: 64))"}"#
        }
        let body = #"{"devices":[\#(devices.joined(separator: ","))]}"#
        let answer = try await stack.api.post("/posthorn/v1/devices/import", Array(body.utf8))
        #expect(answer.json.object?["created"]?.integer == Int64(count), "\(answer)")
    }

    @Test("A push to everyone needs the password of the last five minutes; a push to some does not")
    func broadcast() async throws {
        let clock = TurnableClock()
        try await PortalBrowser.run(clock) { stack, browser, password in
            let token = try await browser.signIn("ana", password)
            func push(_ audience: String, to path: String = "push", _ token: String) async throws -> (Int, String) {
                let body = #"{"platform":"all","audience":\#(audience),"notification":{"alert":"Hello"}}"#
                let path = "/api/apps/\(stack.api.appKey)/v3/\(path)"
                return try await browser.call("POST", path, body, token: token)
            }
            // Nobody is there to get it, which the service says; the portal lets it pass.
            #expect(try await push("\"all\"", token).1.contains("authenticate_again") == false)
            clock.turn(by: .seconds(Session.freshness))
            let (status, answer) = try await push("\"all\"", token)
            #expect(status == 403 && answer.contains("authenticate_again"))
            #expect(try await push(#"{"tag":["some"]}"#, token).0 != 403)
            #expect(try await push("\"all\"", to: "push/validate", token).0 != 403, "It sends nothing.")
            try await Self.register(4, at: stack)
            for audience in [#"{"tag_not":["nobody"]}"#, #"{"registration_id":["r0","r1","r2","r3"]}"#] {
                #expect(try await push(audience, token).0 == 403, "\(audience)")
            }
            #expect(try await push(#"{"registration_id":["r0","r1"]}"#, token).0 == 200)
            let batch = (0..<4).map {
                #""\#($0)":{"platform":"all","target":"r\#($0)","notification":{"alert":"a"}}"#
            }
            let body = #"{"pushlist":{\#(batch.joined(separator: ","))}}"#
            let path = "/api/apps/\(stack.api.appKey)/v3/push/batch/regid/single"
            let sent = try await browser.call("POST", path, body, token: token)
            #expect(sent.status == 403, "\(sent)")
            let again = try await browser.call(
                "POST",
                "/api/authenticate",
                #"{"password":"\#(password)"}"#,
                token: token
            )
            #expect(again.status == 200)
            let renewed = String(try #require(again.1.firstMatch(of: #/"csrf":"(\w+)"/#)).1)
            #expect(try await push("\"all\"", renewed).1.contains("authenticate_again") == false)
            #expect(try await push("\"all\"", token).0 == 403, "The earlier token has ended.")
        }
    }
}

import Foundation
import Logging
import PosthornStack
import PushClock
import PushModel
import TestSupport
import Testing

@testable import PosthornPortal

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Pushes to everyone from the portal", .timeLimit(.minutes(5)))
struct BroadcastTests {
    /// A browser without scripts.
    private struct Browser {
        let session = URLSession(configuration: .ephemeral)
        let portal: String

        func post(
            _ path: String,
            _ body: String,
            type: String,
            token: String = ""
        ) async throws -> (status: Int, String) {
            let url = try #require(URL(string: portal + path))
            var request = URLRequest(url: url)
            request.httpMethod = "POST"
            request.httpBody = Data(body.utf8)
            request.setValue(type, forHTTPHeaderField: "Content-Type")
            request.setValue(token, forHTTPHeaderField: "X-CSRF-Token")
            let (data, response) = try await session.data(for: request)
            return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
        }

        /// Signs in and returns the token of the session.
        func signIn(_ name: String, _ password: String) async throws -> String {
            let form = "name=\(name)&password=\(password)"
            let (status, page) = try await post("/sign-in", form, type: "application/x-www-form-urlencoded")
            #expect(status == 200)
            return String(try #require(page.firstMatch(of: #/name="csrf" content="(\w+)"/#)).1)
        }
    }

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
        try await withTemporaryFolder { folder in
            let clock = TurnableClock()
            let made = Announcement<Portal>()
            var settings = Stack.Settings(folder: folder.path) { ($0.clock, $0.phones) = (clock, 0) }
            settings.pages = { core, caller, settings in
                let portal = try Portal(
                    core: core,
                    caller: caller,
                    settings: settings,
                    phones: PhoneShelf(),
                    logger: Logger(label: "test")
                )
                made.make(.success(portal))
                return portal
            }
            try await Stack.run(settings, logger: Logger(label: "test")) { stack in
                let password = try await made.value.createAdministrator("ana")
                let browser = Browser(portal: stack.api.url + "/portal")
                let token = try await browser.signIn("ana", password)
                func push(_ audience: String, to path: String = "push", _ token: String) async throws -> (Int, String) {
                    let body = #"{"platform":"all","audience":\#(audience),"notification":{"alert":"Hello"}}"#
                    let path = "/api/apps/\(stack.api.appKey)/v3/\(path)"
                    return try await browser.post(path, body, type: "application/json", token: token)
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
                let sent = try await browser.post(path, body, type: "application/json", token: token)
                #expect(sent.status == 403, "\(sent)")
                let again = try await browser.post(
                    "/api/authenticate",
                    #"{"password":"\#(password)"}"#,
                    type: "application/json",
                    token: token
                )
                #expect(again.status == 200)
                let renewed = String(try #require(again.1.firstMatch(of: #/"csrf":"(\w+)"/#)).1)
                #expect(try await push("\"all\"", renewed).1.contains("authenticate_again") == false)
                #expect(try await push("\"all\"", token).0 == 403, "The earlier token has ended.")
            }
        }
    }
}

import DeviceLink
import Foundation
import PushAPI
import PushModel
import PushService
import TestSupport
import Testing

@Suite("SDK link over a socket", .suiteLimit)
struct LinkUpgradeTests {
    @Test("A WebSocket at the link's path registers a device that can then be pushed to by its alias")
    func registers() async throws {
        try await TestAPI.run { api in
            let (link, heard) = api.openLink()
            let token = DeviceToken(bytes: [UInt8](repeating: 9, count: 32))
            var registrationID: String?
            for await event in heard {
                switch event {
                case .opened: link.send(api.registration().text)
                case .frame(.registered(let id, _, _)): registrationID = id
                case .frame(.loggedIn):
                    link.send(SDKFrame.request(number: 1, .token(token, .production)).text)
                    link.send(SDKFrame.request(number: 2, .setAlias("bob")).text)
                case .frame(.reply(2, let reply)):
                    #expect(reply.code == 0)
                    link.close()
                case .frame(.reply(1, let reply)): #expect(reply.code == 0)
                case .frame(let frame): Issue.record("\(frame) was not expected.")
                case .closed: break
                }
            }
            #expect(registrationID != nil)
            let push = hello.replacing("\"audience\":\"all\"", with: "\"audience\":{\"alias\":[\"bob\"]}")
            let answer = try await api.call("POST", "/v3/push", push)
            #expect(answer.status == 200)
        }
    }

    @Test("A refused client gets the reason before the link ends")
    func refused() async throws {
        try await TestAPI.run { api in
            let (link, heard) = api.openLink()
            var codes: [Int] = []
            var ends = 0
            for await event in heard {
                switch event {
                case .opened: link.send(SDKFrame.login(appKey: "short", registrationID: "r", secret: "s").text)
                case .frame(.refused(let code, _)): codes.append(code)
                case .frame(let frame): Issue.record("\(frame) was not expected.")
                case .closed: ends += 1
                }
            }
            #expect(codes == [1008])
            #expect(ends == 1)
            let health = try await api.call("GET", "/health")
            #expect(health.status == 200)
        }
    }

    @Test("Before the login a frame of more than 4 KiB is not even read; after it, it is")
    func longFrames() async throws {
        try await TestAPI.run { api in
            let long = SDKFrame.request(number: 1, .setAlias(String(repeating: "x", count: 5000))).text
            for isLoggedIn in [false, true] {
                let (link, heard) = api.openLink()
                var refusals: [Int] = []
                var replies: [Int] = []
                for await event in heard {
                    switch event {
                    case .opened:
                        if isLoggedIn { link.send(api.registration().text) }
                        link.send(long)
                    case .frame(.refused(let code, _)): refusals.append(code)
                    case .frame(.reply(_, let reply)):
                        replies.append(reply.code)
                        link.close()
                    case .frame, .closed: break
                    }
                }
                #expect(refusals == (isLoggedIn ? [] : [6017]))
                #expect(replies == (isLoggedIn ? [6004] : []))
            }
        }
    }

    @Test("Elsewhere there is no WebSocket", arguments: ["/", "/v3/push", "/link2"])
    func otherPaths(_ path: String) async throws {
        try await TestAPI.run { api in
            let (_, heard) = api.openLink(path: path)
            var events: [String] = []
            for await event in heard { events.append("\(event)") }
            #expect(events.count == 1)
            #expect(events.first?.hasPrefix("closed") == true)
            let health = try await api.call("GET", "/health")
            #expect(health.status == 200)
        }
    }

    @Test("A plain request at the link's path is answered in JSON")
    func plainRequest() async throws {
        try await TestAPI.run { api in
            let answer = try await api.call("GET", PushAPI.linkPath)
            #expect(answer.status == 426)
            #expect(answer.code == 1003)
            #expect(answer.message?.contains("WebSocket") == true)
        }
    }

    @Test("On shutdown open links are closed, and nothing waits for them")
    func shutdown() async throws {
        let (ended, continuation) = AsyncStream<Void>.makeStream()
        try await TestAPI.run { api in
            for number in 0..<5 {
                let (link, heard) = api.openLink()
                var iterator = heard.makeAsyncIterator()
                guard case .opened = await iterator.next() else {
                    Issue.record("The link was to open.")
                    return
                }
                link.send(api.registration("\(number)").text)
                guard case .frame(.registered) = await iterator.next(), case .frame(.loggedIn) = await iterator.next()
                else {
                    Issue.record("The device was to be registered.")
                    return
                }
                // Ends when the link does, which is awaited below.
                Task {
                    for await event in heard { if case .closed = event { continuation.yield() } }
                }
            }
        }
        var count = 0
        for await _ in ended.prefix(5) { count += 1 }
        #expect(count == 5)
    }
}

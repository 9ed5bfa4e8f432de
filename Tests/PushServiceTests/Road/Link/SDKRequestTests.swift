import DeviceLink
import Foundation
import PushClock
import PushModel
import TestSupport
import Testing

@testable import PushService

@Suite("Requests of the SDK link", .suiteLimit)
struct SDKRequestTests {
    private let token = DeviceToken(bytes: [UInt8](repeating: 7, count: 32))

    @Test("Says whether a device has a tag")
    func tagCheck() async throws {
        try await TestService.run { service in
            let (link, _) = try await service.enrol()
            _ = try await link.ask(.addTags(["vip"]))
            let has = try await link.ask(.checkTag("vip"))
            let hasNot = try await link.ask(.checkTag("VIP"))
            let bad = try await link.ask(.checkTag("a b"))
            #expect(has == SDKReply(code: 0, isBound: true))
            #expect(hasNot == SDKReply(code: 0, isBound: false))
            #expect(bad.code == 6005)
        }
    }

    @Test(
        "A mobile number begins with a digit or '+', and has digits and '-' behind it, 20 characters at most",
        arguments: [
            ("13012345678", 0), ("+86-130-1234", 0), ("1", 0), ("12345678901234567890", 0), ("", 0),
            ("123456789012345678901", 6025), ("-1", 6023), ("+", 6023), ("1+2", 6023), ("１２", 6023), ("abc", 6023),
        ]
    )
    func mobiles(_ number: String, _ code: Int) async throws {
        try await TestService.run { service in
            let (link, identity) = try await service.enrol()
            let answer = try await link.ask(.mobile(number))
            #expect(answer.code == code)
            let kept = try await service.device(identity).mobile
            #expect(kept == (code == 0 && !number.isEmpty ? number : nil))
        }
    }

    @Test("Attributes are set and removed one by one")
    func attributes() async throws {
        try await TestService.run { service in
            let (link, identity) = try await service.enrol()
            let table: [([String: String], Int, [String: String])] = [
                (["a": "1", "b": "2"], 0, ["a": "1", "b": "2"]), (["a": "", "c": "3"], 0, ["b": "2", "c": "3"]),
                (["a b": "1"], 6017, ["b": "2", "c": "3"]),
            ]
            for (values, code, expected) in table {
                let answer = try await link.ask(.attributes(values))
                #expect(answer.code == code)
                let kept = try await service.device(identity).attributes
                #expect(kept == expected)
            }
        }
    }

    @Test("Topics are declined as a whole, also while push is off; a text that is no name changes nothing")
    func topics() async throws {
        try await TestService.run { service in
            let (link, _) = try await service.enrol()
            _ = try await service.core.appSettings.changeTopics(
                Array(#"{"topics":[{"name":"a"}]}"#.utf8),
                of: service.app
            )
            #expect(try await link.ask(.topics(declined: nil)).topics == ["a": false])
            #expect(try await link.ask(.pushSwitch(false)).code == 0)
            #expect(try await link.ask(.topics(declined: ["a", "b"])).topics == ["a": true, "b": true])
            #expect(try await link.ask(.topics(declined: ["a b"])).code == 6017)
            #expect(try await link.ask(.topics(declined: ["b"])).topics == ["a": false, "b": true])
        }
    }

    @Test("No mobile number takes the one before away")
    func noMobile() async throws {
        try await TestService.run { service in
            let (link, identity) = try await service.enrol()
            _ = try await link.ask(.mobile("123"))
            _ = try await link.ask(.mobile(nil))
            let kept = try await service.device(identity).mobile
            #expect(kept == nil)
        }
    }

    @Test("More than 5000 bytes of tags are too many to add or delete, more than 7000 to replace all with")
    func tagBytes() async throws {
        try await TestService.run { service in
            let (link, _) = try await service.enrol()
            let tags = (0..<140).map { String($0 + 1000) + String(repeating: "a", count: 36) }
            let many = Array(tags.prefix(125))
            let tooMany = Array(tags.prefix(126))
            let codes = [
                try await link.ask(.addTags(many)).code, try await link.ask(.addTags(tooMany)).code,
                try await link.ask(.deleteTags(tooMany)).code, try await link.ask(.setTags(tags)).code,
                try await link.ask(.setTags(tags + ["b", String(repeating: "c", count: 1400)])).code,
                try await link.ask(.setTags(tags.map { "b" + $0.dropFirst() } + tags)).code,
                try await link.ask(.setTags((0...1000).map { "\($0)" })).code,
            ]
            #expect(codes == [0, 6008, 6008, 0, 6006, 6008, 6007])
        }
    }

    @Test(
        "The eleventh request about tags and alias in ten seconds, and the fourth about the mobile number, come too soon"
    )
    func rates() async throws {
        try await TestService.run { service in
            let (link, identity) = try await service.enrol()
            let (other, _) = try await service.enrol("other")
            for number in 0..<5 {
                let tag = try await link.ask(.addTags(["t\(number)"]))
                let alias = try await link.ask(.setAlias("a\(number)"))
                #expect((tag.code, alias.code) == (0, 0))
                await service.clock.advance(by: .seconds(1))
            }
            // Another link of the device has no calls of its own.
            let second = try await service.logIn(identity)
            let early = try await second.ask(.getAlias)
            #expect(early.code == 6011)
            let elsewhere = try await other.ask(.getAlias)
            #expect(elsewhere.code == 0)
            for _ in 0..<3 {
                let mobile = try await link.ask(.mobile("1"))
                #expect(mobile.code == 0)
            }
            let fourth = try await link.ask(.mobile("1"))
            #expect(fourth.code == 6011)
            // The first two calls were made ten seconds ago.
            await service.clock.advance(by: .seconds(5))
            let later = [
                try await link.ask(.getAlias).code, try await link.ask(.getAlias).code,
                try await link.ask(.getAlias).code,
            ]
            #expect(later == [0, 0, 6011])
        }
    }

    @Test("A device on which push is switched off gets none, is told 6012, and its journey says why")
    func pushSwitch() async throws {
        try await TestService.run { service in
            let (link, identity) = try await service.enrol()
            _ = try await link.ask(.token(token, .production))
            let off = try await link.ask(.pushSwitch(false))
            #expect(off == SDKReply(code: 0, isOn: false))
            let result = try await service.push(pushBody())
            let device = try await service.device(identity)
            #expect(device.isStopped)
            let verdict = try await service.journey(result, device).verdict
            #expect(verdict.state == .suppressed)
            #expect(verdict.sentence.contains("switched push off"))
            for request in [SDKRequest.addTags(["a"]), .getAlias, .mobile("1"), .badge(1), .checkTag("a")] {
                let answer = try await link.ask(request)
                #expect(answer.code == 6012, "\(request)")
            }
            let status = try await link.ask(.pushStatus)
            #expect(status.isOn == false)
            let newToken = try await link.ask(.token(token, .production))
            #expect(newToken.code == 0)
            #expect(service.sender.sent.elements.isEmpty)
            let on = try await link.ask(.pushSwitch(true))
            #expect(on == SDKReply(code: 0, isOn: true))
            _ = try await service.push(pushBody())
            try await service.waitForSent(1)
        }
    }

    @Test(
        "Push that is switched off between acceptance and dispatch goes to the others alone, and stays off after a restart"
    )
    func switchedOffMeanwhile() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            let sender = ScriptedSender { _ in SendOutcome(.unreachable("away")) }
            let pushed = Recorder<PushResult>()
            try await TestService.run(in: folder, clock: clock, sender: sender) { service in
                _ = try await service.addDevices(3)
                let (link, _) = try await service.enrol()
                _ = try await link.ask(.token(token, .production))
                pushed.add(try await service.push(pushBody()))
                try await service.untilAsleep()
                _ = try await link.ask(.pushSwitch(false))
                service.sender.answer { _ in SendOutcome(.sent) }
                await clock.advance(by: .seconds(2))
                try await service.waitForSent(3)
            }
            try await TestService.run(in: folder, clock: clock) { service in
                let result = try #require(pushed.elements.first)
                let device = try #require(try await service.store.device(DeviceID(app: service.app.id, ordinal: 3)))
                #expect(device.isStopped)
                let sentence = try await service.journey(result, device).verdict.sentence
                #expect(sentence.contains("switched push off"))
                _ = try await service.push(pushBody())
                try await service.waitForSent(3)
                #expect(service.sender.sent.elements.count == 3)
            }
        }
    }

    @Test("Tokens of PushKit and of Live Activities are kept until they end, and go with the device")
    func channelTokens() async throws {
        try await TestService.run { service in
            let (link, identity) = try await service.enrol()
            let device = try await service.device(identity)
            func told() async throws -> [String] {
                try await service.store.channelTokens(of: device.id)
                    .map { "\($0.channel) \($0.name) \($0.token.hexadecimal)" }
            }
            let one = DeviceToken(bytes: [1])
            let two = DeviceToken(bytes: [2])
            let codes = [
                try await link.ask(.voipToken(one, .production)).code,
                try await link.ask(.voipToken(two, .production)).code,
                try await link.ask(.activityToken(id: "order", one)).code,
                try await link.ask(.activityStartToken(type: "Order", two)).code,
                try await link.ask(.activityToken(id: "", one)).code,
            ]
            #expect(codes == [0, 0, 0, 0, 6017])
            let all = try await told()
            #expect(all == ["activity order 01", "activityStart Order 02", "voip  02"])
            _ = try await link.ask(.activityToken(id: "order", nil))
            let left = try await told()
            #expect(left == ["activityStart Order 02", "voip  02"])
            for number in 0..<101 {
                await service.clock.advance(by: .seconds(1))
                _ = try await link.ask(.activityToken(id: "a\(number)", one))
            }
            let kept = try await told()
            #expect(kept.count == 102)
            #expect(!kept.contains("activity a0 01"), "The oldest has gone.")
            _ = try await service.store.deleteDevices(
                [device.id.ordinal],
                of: service.app.id,
                unseenSince: .distantFuture,
                Deletion(days: 1)
            )
            let none = try await told()
            #expect(none.isEmpty)
        }
    }

    @Test("Devices bring so many tags that the app does not have, together; the backend's own, and known ones, go on")
    func tagsOfDevices() async throws {
        let limits = TagLimits(perApp: 6, fromDevices: 3)
        try await TestService.run(settings: { $0.link.tags = limits }) { service in
            let (first, identity) = try await service.enrol("first")
            let (second, _) = try await service.enrol("second")
            #expect(try await first.ask(.addTags(["a", "b"])).code == 0)
            #expect(try await second.ask(.addTags(["b", "c"])).code == 0, "One of them is known.")
            let refused = try await second.ask(.setTags(["a", "d"]))
            #expect(refused.code == 6018)
            #expect(refused.message?.contains("have brought 3 different tags") == true)
            #expect(try await second.ask(.getAllTags).tags == ["b", "c"], "Nothing has changed.")
            // What the backend has named counts for itself.
            func change(_ tags: String) async throws {
                let change = try DeviceChange(parsing: Array("{\"tags\":{\"add\":[\(tags)]}}".utf8))
                try await service.core.devices.change(identity.registrationID, of: service.app.id, change)
            }
            try await change("\"c\",\"x\"")
            #expect(try await second.ask(.addTags(["x", "d"])).code == 0)
            #expect(try await second.ask(.addTags(["e"])).code == 6018)
            // Six in all: a, b, c, d, x and y.
            try await change("\"y\"")
            do { try await change("\"z\"") } catch let error as JPushError {
                #expect(error.code == 7002 && error.message.contains("has 6 different tags"))
            }
            #expect(try await first.ask(.addTags(["z"])).code == 6018)
            // A tag that nobody has any more makes room.
            #expect(try await second.ask(.deleteTags(["d"])).code == 0)
            try await change("\"z\"")
        }
    }

    @Test("Devices that bring tags at the same time stay below the limit together")
    func tagsTogether() async throws {
        try await TestService.run(settings: { $0.link.tags.fromDevices = 50 }) { service in
            var links: [TestLink] = []
            for number in 0..<12 { links.append(try await service.enrol("device\(number)").link) }
            for (number, link) in links.enumerated() {
                link.say(.request(number: 1, .addTags((0..<10).map { "t\(number)x\($0)" })))
            }
            var codes: [Int] = []
            for link in links {
                guard case .reply(_, let reply) = try await link.hear() else { continue }
                codes.append(reply.code)
            }
            #expect(codes.sorted() == [0, 0, 0, 0, 0] + Array(repeating: 6018, count: 7))
            #expect(service.core.registry.tags(of: service.app.id).count == 50)
        }
    }
}

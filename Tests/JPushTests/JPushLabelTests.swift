import DeviceLink
import PosthornTesting
import PushModel
import Synchronization
import Testing
import UIKit

@testable import JPush

@Suite("Tags, alias, phone number and badge through JPUSHService")
@MainActor
struct JPushLabelTests {
    private func ready() async -> JPushStage {
        let stage = await JPushStage()
        await stage.setUp()
        return stage
    }

    // MARK: With seq

    @Test("Tags are added, replaced, deleted, listed, checked and cleaned; seq and tags come back")
    func tags() async throws {
        let stage = await ready()
        let echo: (Int, Set<String>?, Int) = await stage.answer { done in
            JPUSHService.setTags(["a", "b"], completion: { done(($0, $1 as? Set<String>, $2)) }, seq: 7)
        }
        #expect(echo.0 == 0)
        #expect(echo.1 == ["a", "b"])
        #expect(echo.2 == 7)
        #expect(await stage.code { JPUSHService.addTags(["c"], completion: $0, seq: 1) } == 0)
        #expect(await stage.code { JPUSHService.deleteTags(["a"], completion: $0, seq: 1) } == 0)
        let all: Set<String>? = await stage.answer { done in
            JPUSHService.getAllTags({ _, tags, _ in done(tags as? Set<String>) }, seq: 2)
        }
        #expect(all == ["b", "c"])
        let bound: [Bool] = await stage.answer { done in
            JPUSHService.validTag(
                "c",
                completion: { code, tags, seq, isBind in
                    done([code == 0, tags as? Set<String> == ["c"], seq == 3, isBind])
                },
                seq: 3
            )
        }
        #expect(bound == [true, true, true, true])
        let cleaned: (Int, Bool) = await stage.answer { done in
            JPUSHService.cleanTags({ code, tags, _ in done((code, tags == nil)) }, seq: 4)
        }
        #expect(cleaned == (0, true))
        #expect(stage.service.state.withLock(\.tags) == [])
    }

    @Test("One bad tag fails the whole call, and nothing is sent")
    func validation() async {
        let stage = await ready()
        let thousand = Set((0...1000).map { "t\($0)" })
        let long = Set((0..<130).map { "\($0)".padding(toLength: 40, withPad: "x", startingAt: 0) })
        let cases: [(Set<String>?, Int)] = [
            (nil, 6001), ([], 6001), (["good", "no space"], 6005), (["a-b"], 6005), (["a/b"], 6005), ([""], 6005),
            ([String(repeating: "中", count: 14)], 6006), (thousand, 6007), (long, 6008),
        ]
        for (tags, expected) in cases {
            let code = await stage.code { JPUSHService.setTags(tags, completion: $0, seq: 1) }
            #expect(code == expected)
        }
        let aliases: [(String?, Int)] = [
            (nil, 6001), ("", 6001), ("no-dash", 6003), (String(repeating: "a", count: 41), 6004),
        ]
        for (alias, expected) in aliases {
            let code: Int = await stage.answer { done in
                JPUSHService.setAlias(alias, completion: { code, _, _ in done(code) }, seq: 1)
            }
            #expect(code == expected)
        }
        #expect(stage.service.requests.isEmpty)
        #expect(await stage.code { JPUSHService.setTags(["中文_@!#$&*+=.|Az9"], completion: $0, seq: 1) } == 0)
    }

    @Test("A caller of Objective-C that gives a number for a text gets the code of a text with an invalid character")
    func noText() {
        for given: Any in [5, 13_800_138_000, true, [:] as [String: Int]] {
            #expect(TagRules.code(alias: TagRules.text(given)) == 6003)
            #expect(TagRules.oldCode(alias: TagRules.text(given) ?? "") == 6003)
            #expect(TagRules.code(tags: TagRules.text(given).map { [$0] }) == 6005)
            #expect(TagRules.text(given).map { TagRules.code(mobile: $0) } == 6023)
        }
        #expect(TagRules.text("tom") == "tom" && TagRules.text(nil) == nil)
    }

    @Test("The valid tags are filtered, at most 1000")
    func filter() async {
        let stage = await ready()
        stage.inside {
            #expect(JPUSHService.filterValidTags(["a", "no space", 3]) as! Set<String> == ["a"])
            let many = Set((0..<1200).map { AnyHashable("t\($0)") })
            #expect(JPUSHService.filterValidTags(many).count == 1000)
        }
    }

    @Test("The gates of tags and alias are independent, and open after an answer or 20 seconds")
    func gates() async {
        let stage = await ready()
        stage.service.set { $0.answers = false }
        let codes = CodeList()
        stage.inside {
            JPUSHService.setTags(["a"], completion: { code, _, _ in codes.add("tags", code) }, seq: 1)
            JPUSHService.setTags(["b"], completion: { code, _, _ in codes.add("tags", code) }, seq: 2)
            JPUSHService.setAlias("x", completion: { code, _, _ in codes.add("alias", code) }, seq: 3)
            JPUSHService.setAlias("y", completion: { code, _, _ in codes.add("alias", code) }, seq: 4)
        }
        await stage.settle()
        #expect(codes.all == ["tags 6021", "alias 6022"])
        await stage.advance(by: .seconds(19))
        await stage.settle()
        #expect(codes.all.count == 2)
        await stage.advance(by: .seconds(1))
        await stage.settle()
        #expect(codes.all.suffix(2).sorted() == ["alias 6002", "tags 6002"])
        stage.service.set { $0.answers = true }
        #expect(await stage.code { JPUSHService.setTags(["c"], completion: $0, seq: 5) } == 0)
    }

    @Test("The 11th call in 10 seconds is one too many")
    func rate() async {
        let stage = await ready()
        for number in 1...10 {
            #expect(await stage.code { JPUSHService.setTags(["t\(number)"], completion: $0, seq: number) } == 0)
        }
        #expect(await stage.code { JPUSHService.setTags(["t11"], completion: $0, seq: 11) } == 6011)
        await stage.advance(by: .seconds(10))
        #expect(await stage.code { JPUSHService.setTags(["t12"], completion: $0, seq: 12) } == 0)
    }

    @Test("A number among the tags is a code, and what is asked for is never nil")
    func otherKinds() async {
        let stage = await ready()
        let mixed: Set<AnyHashable> = ["a", 7]
        let code: Int = await stage.answer { done in
            JPUSHService.setTags(mixed, alias: nil, fetchCompletionHandle: { code, _, _ in done(Int(code)) })
        }
        #expect(code == 6005)
        let alias: String? = await stage.answer { done in JPUSHService.getAlias({ _, alias, _ in done(alias) }, seq: 1)
        }
        #expect(alias == "")
    }

    @Test("Properties are not enabled")
    func properties() async {
        let stage = await ready()
        let code: Int = await stage.answer { done in
            JPUSHService.setProperties(["age": 3], completion: { code, _, seq in done(code + seq) }, seq: 0)
        }
        #expect(code == 6036)
    }

    // MARK: Before registration

    @Test(
        """
        jpushPhonegap285_293_jpushFlutter78_90_171_471_jpushReactNative112_799_whatIsAskedBeforeRegistrationIsQueued: \
        it waits, is not failed with 6002, and is answered then
        """
    )
    func early() async {
        let stage = await JPushStage()
        stage.phone.dialer.serve(TestService.url, nil)
        let codes = CodeList()
        stage.inside {
            JPUSHService.setTags(["early"], completion: { code, _, _ in codes.add("tags", code) }, seq: 1)
        }
        await stage.setUp()
        await stage.advance(by: .seconds(90))
        await stage.settle()
        #expect(codes.all == [])
        // The gate is open again, and the second call waits behind the first.
        stage.inside {
            JPUSHService.addTags(["later"], completion: { code, _, _ in codes.add("tags", code) }, seq: 2)
        }
        stage.phone.dialer.serve(TestService.url, stage.service)
        await stage.advance(by: .seconds(60))
        await stage.settle()
        #expect(codes.all == ["tags 0", "tags 0"])
        #expect(stage.service.state.withLock(\.tags) == ["early", "later"])
    }

    @Test("An alias and protected tags go with the proofs of the backend, also after a kill of the app")
    func proofs() async {
        let stage = await ready()
        let code: Int = await stage.answer { done in
            JPUSHService.setAlias("ann", proof: "0f", completion: { code, _, _ in done(code) }, seq: 1)
        }
        #expect(code == 0)
        #expect(await stage.code { JPUSHService.addTags(["a"], proofs: ["a": "1f"], completion: $0, seq: 2) } == 0)
        stage.phone.dialer.serve(TestService.url, nil)
        stage.inside { JPUSHService.setTags(["b"], proofs: ["b": "2f"], completion: nil, seq: 3) }
        await stage.settle()
        await stage.relaunch()
        stage.phone.dialer.serve(TestService.url, stage.service)
        await stage.setUp()
        await stage.advance(by: .seconds(60))
        await stage.settle()
        #expect(
            stage.service.requests == [
                .setAlias("ann", proof: "0f"), .addTags(["a"], proofs: ["a": "1f"]),
                .setTags(["b"], proofs: ["b": "2f"]),
            ]
        )
    }

    @Test("It survives a kill of the app, before setup and after, and is sent once")
    func durable() async {
        let stage = await JPushStage()
        stage.phone.dialer.serve(TestService.url, nil)
        stage.inside { JPUSHService.setTags(["a"], completion: nil, seq: 1) }
        await stage.settle()
        await stage.relaunch()
        await stage.setUp()
        stage.inside {
            JPUSHService.setAlias("tom", completion: nil, seq: 2)
            JPUSHService.setBadge(3)
            JPUSHService.setBadge(4)
        }
        await stage.settle()
        await stage.relaunch()
        stage.phone.dialer.serve(TestService.url, stage.service)
        await stage.setUp()
        await stage.advance(by: .seconds(60))
        await stage.settle()
        #expect(stage.service.requests == [.setTags(["a"]), .setAlias("tom"), .badge(4)])
        await stage.relaunch()
        await stage.setUp()
        #expect(stage.service.requests.count == 3)
    }

    @Test("More calls than the service takes at once are sent as it takes them, in their order, and none is lost")
    func manyDurable() async {
        let stage = await JPushStage()
        stage.phone.dialer.serve(TestService.url, nil)
        await stage.setUp()
        let codes = Codes()
        // One every 21 seconds: the gate is open again.
        for number in 0..<14 {
            stage.inside {
                JPUSHService.addTags(["t\(number)"], completion: { code, _, _ in codes.add(code) }, seq: number)
            }
            await stage.advance(by: .seconds(21))
        }
        stage.service.set { $0.budget = 10 }
        stage.phone.dialer.serve(TestService.url, stage.service)
        // The longest wait for a link.
        await stage.advance(by: .seconds(61))
        #expect(stage.service.state.withLock(\.tags) == (0..<10).map { "t\($0)" })
        // A process that is killed meanwhile loses none of the rest.
        await stage.relaunch()
        await stage.setUp()
        stage.service.set { $0.budget = 10 }
        await stage.advance(by: .seconds(11))
        #expect(stage.service.state.withLock(\.tags) == (0..<14).map { "t\($0)" })
        #expect(codes.all == Array(repeating: 0, count: 10))
    }

    @Test("A service that takes the call and dies is asked again")
    func unanswered() async {
        let stage = await ready()
        stage.service.set { $0.answers = false }
        stage.inside { JPUSHService.setBadge(5) }
        await stage.settle()
        await stage.relaunch()
        stage.service.set { $0.answers = true }
        await stage.setUp()
        #expect(stage.service.requests == [.badge(5), .badge(5)])
    }

    // MARK: The old calls

    @Test("nil leaves, empty clears, both nil is 6001; the code is an Int32")
    func old() async {
        let stage = await ready()
        func call(_ tags: Set<AnyHashable>?, _ alias: String?) async -> Int32 {
            await stage.answer { done in JPUSHService.setTags(tags, alias: alias) { code, _, _ in done(code) } }
        }
        #expect(await call(["a"], "tom") == 0)
        #expect(await call(nil, nil) == 6001)
        #expect(await call(["b"], nil) == 0)
        #expect(stage.service.requests == [.setTags(["a"]), .setAlias("tom"), .setTags(["b"])])
        #expect(await call([], "") == 0)
        #expect(stage.service.requests.suffix(2) == [.cleanTags, .deleteAlias])
        #expect(await call(["ok"], "no space") == 6003)
        let bytes = { (count: Int) in
            Set((0..<count).map { AnyHashable("\($0)".padding(toLength: 40, withPad: "x", startingAt: 0)) })
        }
        #expect(await call(bytes(175), nil) == 0)
        #expect(await call(bytes(176), nil) == 6008)
        stage.inside { JPUSHService.setAlias("bob", callbackSelector: nil, object: nil) }
        await stage.settle()
        #expect(stage.service.state.withLock(\.alias) == "bob")
    }

    @Test("In the background they are tried until they are taken, beside the gates")
    func inBackground() async {
        let stage = await ready()
        stage.service.set { $0.answers = false }
        stage.inside {
            JPUSHService.setTags(["fore"], completion: nil, seq: 1)
            JPUSHService.setTags(["back"], aliasInbackground: "tom")
        }
        await stage.settle()
        #expect(stage.service.requests == [.setTags(["fore"])], "One is under way at a time.")
        await stage.relaunch()
        stage.service.set { $0.answers = true }
        await stage.setUp()
        #expect(stage.service.requests.suffix(2) == [.setTags(["back"]), .setAlias("tom")])
    }

    // MARK: Phone number

    @Test(
        "A phone number is checked, sent, and taken away",
        arguments: [
            ("+86-138", 0), ("138", 0), ("13a", 6023), ("-13", 6023), ("++1", 6023), ("123456789012345678901", 6025),
        ]
    )
    func phone(_ number: String, _ expected: Int) async {
        let stage = await ready()
        let code: Int = await stage.answer { done in
            JPUSHService.setMobileNumber(number) { done(($0 as NSError?)?.code ?? 0) }
        }
        #expect(code == expected)
        #expect(stage.service.state.withLock(\.mobile) == (expected == 0 ? number : nil))
        let empty: Int = await stage.answer { done in
            JPUSHService.setMobileNumber("") { done(($0 as NSError?)?.code ?? 0) }
        }
        #expect(empty == 0)
        #expect(stage.service.requests.last == .mobile(nil))
    }

    @Test("Attributes are sent as they are; topics are declined and asked for")
    func attributesAndTopics() async {
        let stage = await ready()
        let failed: Bool = await stage.answer { done in
            JPUSHService.setAttributes(["first_name": "Ana"]) { done($0 != nil) }
        }
        #expect(!failed)
        #expect(stage.service.requests.last == .attributes(["first_name": "Ana"]))
        let declined: [String: Bool]? = await stage.answer { done in
            JPUSHService.declineTopics(["news"]) { topics, _ in done(topics) }
        }
        #expect(declined == ["news": true, "offers": false])
        let known: [String: Bool]? = await stage.answer { done in JPUSHService.getTopics { topics, _ in done(topics) } }
        #expect(known?.keys.sorted() == ["news", "offers"])
        #expect(stage.service.requests.last == .topics(declined: nil))
    }

    @Test("More than three numbers in 10 seconds are too many")
    func phoneRate() async {
        let stage = await ready()
        var codes: [Int] = []
        for number in 1...4 {
            codes.append(
                await stage.answer { done in
                    JPUSHService.setMobileNumber("\(number)") { done(($0 as NSError?)?.code ?? 0) }
                }
            )
        }
        #expect(codes == [0, 0, 0, 6011])
    }
}

/// The codes of completions, in order; they trap off the main thread.
@MainActor
final class CodeList {
    private(set) var all: [String] = []

    nonisolated func add(_ name: String, _ code: Int) {
        MainActor.assumeIsolated { all.append("\(name) \(code)") }
    }
}

/// Codes that callbacks were given.
private final class Codes: Sendable {
    private let state = Mutex<[Int]>([])
    var all: [Int] { state.withLock(\.self) }
    func add(_ code: Int) { state.withLock { $0.append(code) } }
}

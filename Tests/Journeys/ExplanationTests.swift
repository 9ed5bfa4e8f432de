import APNSGateway
import APNSProvider
import Foundation
import PosthornStack
import PosthornTesting
import PushClock
import PushDevice
import PushExplanation
import PushModel
import SystemPort
import TestSupport
import Testing

/// The pushes of `Examples/Payloads`, before and after they are sent.
@Suite("What becomes of a push", .suiteLimit)
struct ExplanationTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Examples/Payloads").standardized
    private static let names =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? [])
        .filter { $0.hasSuffix(".json") || $0.hasSuffix(".apns") }.sorted()

    private static func push(_ name: String, language: String? = nil) throws -> ExplainedPush {
        let bytes = Array(try Data(contentsOf: folder.appending(path: name)))
        var options = options([], [])
        options.language = language
        return ExplainedPush(reading: bytes, named: name, options)
    }

    private static func options(_ systems: [Int], _ states: [Explanation.State]) -> Explanation.Options {
        var options = Explanation.Options(date: VirtualClock().date)
        options.systems = systems.map { SystemProfile.iOS($0) }
        options.states = states
        return options
    }

    @Test("Each version of iOS has its lines", arguments: names)
    func lines(_ name: String) async throws {
        let options = Self.options([7, 9, 10, 15, 18, 26, 27], Explanation.State.allCases)
        let explanation = await Explanation(of: try Self.push(name), options)
        let kept = KeptText(
            name: name,
            ending: "txt",
            folder: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Explained"),
            location: TestLocation(fileID: #fileID, filePath: #filePath, line: #line, column: #column)
        ) { Issue.record("\($0)") }
        let text = explanation.lines.joined(separator: "\n") + "\n"
        #expect(kept.expect(text, of: "The explanation") { LineDifference.text(of: text, from: $0) })
    }

    private static let systems = [7, 9, 12, 17, 26]

    /// Each file meets each state of the app, on one system after another.
    @Test("A push that is sent over the network has the journey that was foretold", arguments: systems)
    func journeys(_ system: Int) async throws {
        let shift = try #require(Self.systems.firstIndex(of: system))
        try await withStack { stack in
            for (place, name) in Self.names.enumerated() {
                let states = Explanation.State.allCases
                let state = states[(place + shift) % states.count]
                var push = try Self.push(name)
                push.headers.removeAll { $0.name == "apns-topic" }
                push.headers.append(("apns-topic", push.type?.topic(of: Stack.bundleID) ?? Stack.bundleID))
                let explanation = await Explanation(of: push, Self.options([system], [state]))
                let sight = explanation.rows.first?.sight
                // The gateway groups it for a phone that sleeps, until a time that no clock here reaches.
                if sight?.reasons.contains(where: { $0.hasPrefix("up to 15 minutes late") }) == true { continue }
                let phone = try await stack.makePhone(name: name, system: "\(system).0")
                defer { phone.switchOff() }
                let app = InstalledApp(
                    bundleID: Stack.bundleID,
                    environment: .production,
                    entitlements: Set(InstalledApp.Entitlement.allCases)
                )
                await Sight.install(app, on: phone.device, SystemProfile.iOS(system))
                phone.device.open(app.bundleID)
                try await eventually("the app has a token and permission") {
                    if phone.device.screen.prompt != nil { phone.device.answerPrompt(true) }
                    let hasPermission = phone.device.settings(of: app.bundleID)?.authorization == .authorized
                    return hasPermission && Self.token(of: phone) != nil
                }
                await phone.device.settled()
                if state != .front { phone.device.background(app.bundleID) }
                if state == .forceQuit { phone.device.forceQuit(app.bundleID) }
                if state == .locked { phone.device.lock() }
                await phone.device.settled()
                let (id, reason) = try await Self.send(push, to: phone, of: stack)
                #expect((reason == nil) == (explanation.refusal == nil), "\(name): \(reason?.rawValue ?? "accepted")")
                guard let sight else { continue }
                let foretold = Told(sight)
                let isSo = { Told(stack.journeys.events(of: id)) == foretold }
                // In vain, the comparison below says what differs.
                try? await eventually("the journey of \(name) is as foretold, \(state)") { isSo() }
                #expect(isSo(), "\(name), \(state): another journey than \(foretold):\n\(stack.journeys.story(of: id))")
            }
        }
    }

    /// The parts of a journey that an explanation tells.
    private struct Told: Equatable {
        var presented: [String] = []
        var reasons: [String] = []
        var callbacks: [String] = []
        var serviceExtension: String?

        init(_ sight: Sight) {
            presented = sight.presented
            reasons = sight.reasons
            callbacks = sight.callbacks.filter { !$0.hasPrefix("UNNotificationServiceExtension") }
            serviceExtension = sight.serviceExtension
        }

        init(_ journey: [JourneyEvent]) {
            for event in journey {
                switch event.kind {
                case .presented(let how): presented.append(how.rawValue)
                case .suppressed: reasons.append(Verdict([event]).sentence)
                case .callback(let name, let state) where !name.hasPrefix("UNNotificationServiceExtension"):
                    callbacks.append("\(name)@\(state.rawValue)")
                case .serviceExtension(let outcome): serviceExtension = outcome.rawValue
                default: break
                }
            }
            if presented.isEmpty, reasons.isEmpty { reasons = [Verdict(journey).sentence] }
        }
    }

    private static func token(of phone: PushLabPhone) -> DeviceToken? {
        let tokens = phone.device.recentDeviceEvents.compactMap { event in
            if case .tokenReceived(let token, .production) = event.kind { token } else { nil }
        }
        return tokens.last
    }

    private static func send(
        _ push: ExplainedPush,
        to phone: PushLabPhone,
        of stack: Stack
    ) async throws -> (id: String, reason: APNSReason?) {
        let isOwn = [.voip, .liveactivity].contains(push.type)
        let token =
            isOwn
            ? stack.gateway.server.gateway.issueToken(topic: push.topic, environment: .production)
            : try #require(Self.token(of: phone))
        let key = stack.gateway.key
        let probe = APNSProbe(
            credential: .key(try APNSSigningKey(p8: key.p8, keyID: key.id, teamID: key.teamID)),
            endpoint: APNSEndpoint(
                host: "localhost",
                port: try #require(stack.gateway.server.port(for: .production)),
                trust: .file(stack.gateway.caPath)
            ),
            clock: stack.settings.clock
        )
        let id = UUID().uuidString.lowercased()
        let fields = push.headers.map { (name: $0.name, value: Optional($0.value)) }
        let sent = APNSPush(id: id, token: token, topic: push.topic, payload: push.payload)
        let untyped = push.type == nil ? [(name: "apns-push-type", value: String?.none)] : []
        return (id, try await probe.send(sent, replacing: fields + untyped).reason)
    }

    @Test("A body of the REST API is the push that the service sends")
    func restAPI() async throws {
        try await withStack { stack in
            let phone = try #require(stack.phones.first)
            let file = try Data(contentsOf: Self.folder.appending(path: "jpush.json"))
            #expect(try await stack.api.post("/v3/push", Array(file)).status == 200)
            let payload = try await eventual("the push is on the phone") {
                (phone.device.screen.banner ?? phone.device.screen.list.first)?.notification.content.userInfo
            }
            let push = try Self.push("jpush.json")
            let foretold = try #require(try JSONValue(parsing: push.payload).object)
            #expect(payload["aps"] == foretold["aps"])
            #expect(payload.keys == foretold.keys)
            #expect(push.payload.count >= JSONValue.object(payload).bytes.count)
        }
    }

    private static func explain(_ body: String) async -> Explanation {
        let options = options([26], [.background])
        return await Explanation(of: ExplainedPush(reading: Array(body.utf8), named: "push", options), options)
    }

    @Test("The warnings of the service about a body are cautions, and what reaches no device is not sent")
    func warnings() async throws {
        try await withStack { stack in
            let kinds = [
                #""notification":{"alert":"a"},"options":{"foo":1}"#, #""notification":{"alert":"a"},"sms_message":{}"#,
                #""notification":{"alert":"Hi ${y}"}"#, #""notification":{"ios":{"alert":{"en":"a","zh-Hans":"b"}}}"#,
            ]
            for members in kinds {
                let body = #"{"platform":"all","audience":"all",\#(members)}"#
                let answer = try await stack.api.post("/v3/push", Array(body.utf8)).json
                let warnings = (answer.object?["warnings"]?.array ?? []).compactMap { $0.object?["message"]?.string }
                #expect(!warnings.isEmpty, "\(answer.text)")
                let cautions = await Self.explain(body).cautions
                #expect(warnings.allSatisfy(cautions.contains), "\(members): \(cautions)")
            }
            let body = #"{"platform":"android","audience":"all","notification":{"alert":"a"}}"#
            #expect(try await stack.api.post("/v3/push", Array(body.utf8)).status == 400)
            #expect(await Self.explain(body).refusal?.hasSuffix("the service answers 1011.") == true)
        }
    }

    @Test("Each language of a body is reviewed, and a push beside it is named")
    func parts() async {
        let localized = #""ios":{"alert":"a","x_localized":{"de":{"titel":"t"},"fr":"b"}}"#
        let body =
            #"{"platform":"all","audience":"all","notification":{\#(localized),"voip":{"call":"Ann"}},"options":{"time_to_live":0}}"#
        let explanation = await Self.explain(body)
        let nothing = "A push of type 'alert' has nothing to perceive; expected alert, badge or sound."
        let warning =
            "'notification.ios.x_localized.de' has no member of Apple's alerts, such as 'title' or 'body', so nothing would be shown: "
            + "it has 'titel'."
        #expect(explanation.cautions == [warning, "The alert in 'de': \(nothing)"])
        #expect(explanation.notes == ["'notification.voip' is sent as a push of its own, which is not explained."])
        #expect(explanation.push.headers.contains { $0 == (name: "apns-expiration", value: "0") })
    }

    @Test(
        "What of a file with headers is not sent has a caution",
        arguments: [
            (
                #"{"headers":{"apns-push-typ":"alert","User-Agent":"a",":path":"/3/device/ab"},"payload":{"aps":{"alert":"a"}}}"#,
                "'apns-push-typ' is not"
            ),
            (#"{"headers":{"foo":"bar"},"payload":{"aps":{"alert":"a"}}}"#, "'foo' is not a header that APNs reads."),
            // It has no type.
            (
                #"{"headers":{"apns-expiration":"1796000000000"},"payload":{"aps":{"alert":"a"}}}"#,
                "apns-expiration is 1796"
            ),
            (#"{"headers":[["foo","bar"],["apns-typ","a"]],"payload":{"aps":{"alert":"a"}}}"#, "'apns-typ' is not"),
            (#"{"headers":["a"],"payload":{"aps":{"alert":"a"}}}"#, "'headers' is an array; expected an object."),
            (#"{"headers":{},"payload":{"aps":{"alert":"a"}},"apns-topic":"a"}"#, "'apns-topic' stands beside"),
        ]
    )
    func headers(_ file: String, _ caution: String) async {
        let cautions = await Self.explain(file).cautions
        #expect(cautions.count == 1 && cautions.first?.hasPrefix(caution) == true, "\(cautions)")
    }

    @Test("A key that occurs twice in an object is named, wherever it is; in two objects it is none")
    func repeatedKeys() async {
        let said = ["'body' occurs twice in an object; the last one counts."]
        let twice = #"{"aps":{"alert":{"body":"a","title":"b","body":"c"},"x":[{"a":1},{"a":2}]}}"#
        #expect(await Self.explain(twice).cautions == said)
        #expect(await Self.explain(#"{"n":[0,{"body":1,"body":2}],"aps":{"alert":"a"}}"#).cautions == said)
        #expect(await Self.explain(#"{"a":{"body":1},"b":[{"body":1}],"aps":{"alert":"a"}}"#).cautions == [])
    }

    @Test(
        "An alert that also wakes the app is noted; a value that wakes none, and an alert of a Live Activity, are not",
        arguments: [
            (#"{"aps":{"alert":"a","content-available":1}}"#, 1),
            (#"{"aps":{"alert":"a","content-available":"1"}}"#, 0),
            (
                #"{"aps":{"alert":{"title":"a"},"content-available":1,"event":"end","timestamp":1,"content-state":{}}}"#,
                0
            ),
        ]
    )
    func wakes(_ payload: String, _ count: Int) async {
        #expect(await Self.explain(payload).notes.count { $0.hasPrefix("'content-available'") } == count)
    }

    @Test(
        "A payload for widgets or for a managed device is known without headers",
        arguments: [
            (#"{"aps":{"content-changed":true}}"#, APNSPushType.widgets), (#"{"mdm":"magic"}"#, .mdm),
            (#"{"aps":{},"mdm":"magic"}"#, .mdm), (#"{"aps":{"alert":"a"},"mdm":"magic"}"#, .alert),
        ]
    )
    func types(_ payload: String, _ type: APNSPushType) async {
        let explanation = await Self.explain(payload)
        #expect(explanation.push.type == type && explanation.refusal == nil && explanation.cautions.isEmpty)
    }

    @Test("A payload in a file without headers is named")
    func payloadAlone() async {
        let cautions = await Self.explain(#"{"payload":{"aps":{"alert":"a"}}}"#).cautions
        #expect(cautions.first == "'payload' stands alone; expected 'headers' beside it.")
    }

    @Test("What cannot be shown as it was meant is a problem")
    func problems() async throws {
        var wrong: [String] = []
        for name in Self.names {
            let explanation = await Explanation(
                of: try Self.push(name),
                Self.options([12, 26], Explanation.State.allCases)
            )
            if !explanation.problems.isEmpty { wrong.append(name) }
        }
        #expect(
            wrong == [
                "alert-of-type-background.json", "background-of-priority-10.json", "background-of-type-alert.json",
                "misspelled.json", "too-large.json", "without-type.json", "wrong-topic.json",
            ]
        )
    }

    @Test(
        "A body that sends nothing to APNs has the reason for a problem",
        arguments: [
            (#""message":{"msg_content":"a"}"#, "The push has no notification, so nothing goes to APNs."),
            (#""notification":{"ios":{"alert":"a","badge":"abc"}}"#, "'notification.ios.badge' is"),
        ]
    )
    func notForAPNs(_ members: String, _ reason: String) async {
        let body = #"{"platform":"all","audience":"all",\#(members)}"#
        let explanation = await Self.explain(body)
        #expect(explanation.problems.count == 1 && explanation.problems.first?.hasPrefix(reason) == true)
        #expect(explanation.lines.map { $0.hasPrefix("push: not sent to APNs: ") } == [true])
        #expect(explanation.rows.isEmpty && explanation.cautions.isEmpty)
    }

    @Test(
        "A message for Firebase is named, not taken for a body of the service or for a payload",
        arguments: [
            #"{"message":{"token":"a","notification":{"body":"b"},"apns":{"payload":{"aps":{"badge":1}}}}}"#,
            #"{"apns":{"headers":{"apns-priority":"10"},"payload":{"aps":{"badge":1}}}}"#,
        ]
    )
    func firebase(_ message: String) async {
        let refusal = await Self.explain(message).refusal ?? ""
        #expect(refusal.hasPrefix("It is a message for Firebase"))
        #expect(Language.simplifiedChinese.said(refusal).contains("消息"))
        #expect(await Self.explain(#"{"aps":{"alert":"a"},"apns":{}}"#).refusal == nil)
    }

    @Test("Alerts are in the phone's language")
    func language() async throws {
        var options = Self.options([26], [.background])
        options.language = "zh-Hans"
        var app = InstalledApp(bundleID: "any")
        app.strings = ["zh-Hans": ["MEETING": "会议", "MEETING_AT": "与 %@ 在 %@"]]
        options.app = app
        let localized = await Explanation(of: try Self.push("localized.json"), options)
        #expect(localized.rows.map(\.sight.texts) == [["会议", "与 Ann 在 10:00"]])
        let jpush = await Explanation(of: try Self.push("jpush.json", language: "zh-Hans"), options)
        #expect(jpush.rows.map(\.sight.texts) == [["茶", "半价"]])
    }

    @Test("Versions with the same outcome are one row")
    func merged() async throws {
        let options = Self.options(SystemProfile.majors, Explanation.State.allCases)
        let explanation = await Explanation(of: try Self.push("passive.json"), options)
        let lines = explanation.lines.filter { $0.contains("background") }
        #expect(
            lines.map { $0.prefix { $0 != ":" } } == [
                "  iOS 7, 8, background, forceQuit", "  iOS 9–14, background, forceQuit",
                "  iOS 15–27, background, locked, forceQuit",
            ]
        )
        #expect(explanation.markdown.contains("| 15–27 | background, locked, forceQuit | list; "))
        #expect(explanation.json.json["rows"]?.array?.count == explanation.rows.count)
    }

    @Test("Titles came with iOS 8.2, subtitles with 10, groups and the object for a sound with 12")
    func versions() async throws {
        let alert = #"{"title":"T","subtitle":"S","body":"B"}"#
        let body = #"{"aps":{"alert":\#(alert),"sound":{"name":"a.caf","critical":1},"thread-id":"t"}}"#
        var options = Self.options([7, 9, 10, 12], [.background])
        options.systems.insert(SystemProfile(version: "8.1"), at: 1)
        let push = ExplainedPush(reading: Array(body.utf8), named: "push", options)
        let rows = await Explanation(of: push, options).rows
        #expect(rows.map(\.systems) == [["7.0", "8.1"], ["9.0"], ["10.0"], ["12.0"]])
        #expect(rows.map(\.sight.texts) == [["B"], ["T", "B"], ["T", "S", "B"], ["T", "S", "B"]])
        #expect(rows.map(\.sight.sound) == [nil, nil, nil, "a.caf"])
        #expect(rows.map(\.sight.thread) == [nil, nil, nil, "t"])
        let alone = ExplainedPush(reading: Array(#"{"aps":{"alert":{"subtitle":"S"}}}"#.utf8), named: "push", options)
        #expect(await Explanation(of: alone, options).rows.map(\.sight.isShown) == [false, true])
    }

    @Test("A push that had expired when it was sent reaches no phone, and is not kept for one")
    func expired() async {
        let push = #"{"headers":{"apns-expiration":"1"},"payload":{"aps":{"alert":"a"}}}"#
        let options = Self.options([26], Explanation.State.allCases)
        let explained = ExplainedPush(reading: Array(push.utf8), named: "push", options)
        let rows = await Explanation(of: explained, options).rows
        #expect(rows.map(\.sight.outcome) == ["not shown: it had expired when it was sent"])
        #expect(rows.map(\.states) == [Explanation.State.allCases])
    }

    @Test("A range has each major version between its ends")
    func ranges() async throws {
        for (asked, said) in [([9, 11, 12], "9, 11, 12"), ([7, 8, 9, 26], "7–9, 26"), ([17, 18, 26], "17–26")] {
            let options = Self.options(asked, [.background])
            let explanation = await Explanation(of: try Self.push("alert.json"), options)
            #expect(explanation.rows.map(explanation.systems) == [said])
        }
    }

    @Test("Headers and payload of a record are read, and no provider token is kept")
    func record() {
        let text =
            #"{"headers":[["authorization","bearer secret"],["APNs-Push-Type","background"]],"payload":{"aps":{}}}"#
        let push = ExplainedPush(reading: Array(text.utf8), named: "record", Self.options([], []))
        #expect(push.headers.map(\.name) == ["apns-push-type", "apns-topic"])
        #expect(push.type == .background)
    }
}

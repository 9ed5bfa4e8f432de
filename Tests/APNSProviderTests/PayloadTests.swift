import APNSProvider
import Foundation
import PushModel
import Testing

@Suite("Payloads under Apple's keys")
struct PayloadTests {
    /// A payload and the JSON it becomes.
    struct Case: Sendable, CustomTestStringConvertible {
        var payload: APNSPayload
        var json: String
        var testDescription: String { json }
    }

    static let moment = Date(timeIntervalSince1970: 1_750_000_000.9)

    static let cases: [Case] = [
        Case(payload: APNSPayload(), json: "{}"),
        Case(payload: APNSPayload(custom: ["mdm": "magic"]), json: #"{"mdm":"magic"}"#),
        Case(payload: APNSPayload(APS()), json: #"{"aps":{}}"#),
        Case(payload: APNSPayload(.background), json: #"{"aps":{"content-available":1}}"#),
        Case(
            payload: APNSPayload(
                APS(alert: "Hällo \"du\"\n", badge: 0, sound: .default),
                custom: ["a": [1, .null, 0.5]]
            ),
            json: #"{"aps":{"alert":"Hällo \"du\"\n","sound":"default","badge":0},"a":[1,null,0.5]}"#
        ),
        Case(
            payload: APNSPayload(APS(alert: APSAlert(title: "T", subtitle: "S", body: "B", launchImage: "l.png"))),
            json: #"{"aps":{"alert":{"title":"T","subtitle":"S","body":"B","launch-image":"l.png"}}}"#
        ),
        Case(
            payload: APNSPayload(
                APS(
                    alert: APSAlert(
                        title: .localized("T_%@", ["a"]),
                        subtitle: .localized("S"),
                        body: .localized("B_%@_%@", ["b", "c"]),
                        actionLocKey: "PLAY",
                        action: "View"
                    )
                )
            ),
            json: #"{"aps":{"alert":{"title-loc-key":"T_%@","title-loc-args":["a"],"subtitle-loc-key":"S","#
                + #""loc-key":"B_%@_%@","loc-args":["b","c"],"action-loc-key":"PLAY","action":"View"}}}"#
        ),
        Case(
            payload: APNSPayload(APS(sound: .critical("alarm.caf", volume: 0.25))),
            json: #"{"aps":{"sound":{"critical":1,"name":"alarm.caf","volume":0.25}}}"#
        ),
        Case(payload: APNSPayload(APS(sound: "ping.caf")), json: #"{"aps":{"sound":"ping.caf"}}"#),
        Case(
            payload: APNSPayload(
                APS(
                    threadID: "t",
                    category: "c",
                    contentAvailable: true,
                    mutableContent: true,
                    targetContentID: "w",
                    interruptionLevel: .timeSensitive,
                    relevanceScore: 1,
                    filterCriteria: "f",
                    contentChanged: true,
                    urlArgs: ["u", "v"],
                    summaryArg: "s",
                    summaryArgCount: 2,
                    others: ["new-key": true, "category": "other"]
                )
            ),
            json: #"{"aps":{"thread-id":"t","category":"other","content-available":1,"mutable-content":1,"#
                + #""target-content-id":"w","interruption-level":"time-sensitive","relevance-score":1.0,"#
                + #""filter-criteria":"f","content-changed":true,"url-args":["u","v"],"summary-arg":"s","#
                + #""summary-arg-count":2,"new-key":true}}"#
        ),
        Case(
            payload: APNSPayload(
                APS(
                    alert: APSAlert(title: .localized("T", ["a"]), body: "B"),
                    sound: "chime.aiff",
                    relevanceScore: 75,
                    liveActivity: APSLiveActivity(
                        .start(attributesType: "Ride", attributes: ["driver": "Ann"]),
                        timestamp: moment,
                        contentState: ["minutes": 4],
                        staleDate: moment + 60,
                        input: .pushChannel("dHN0LXNyY2gtY2hubA==")
                    )
                )
            ),
            json: #"{"aps":{"alert":{"title":{"loc-key":"T","loc-args":["a"]},"body":"B","sound":"chime.aiff"},"#
                + #""relevance-score":75.0,"timestamp":1750000000,"event":"start","attributes-type":"Ride","#
                + #""attributes":{"driver":"Ann"},"content-state":{"minutes":4},"stale-date":1750000060,"#
                + #""input-push-channel":"dHN0LXNyY2gtY2hubA=="}}"#
        ),
        Case(
            payload: APNSPayload(
                APS(
                    liveActivity: APSLiveActivity(
                        .start(attributesType: "Ride", attributes: [:]),
                        timestamp: moment,
                        contentState: nil,
                        input: .pushToken
                    )
                )
            ),
            json: #"{"aps":{"timestamp":1750000000,"event":"start","attributes-type":"Ride","attributes":{},"#
                + #""input-push-token":1}}"#
        ),
        Case(
            payload: APNSPayload(
                APS(liveActivity: APSLiveActivity(.update, timestamp: moment, contentState: ["minutes": 3]))
            ),
            json: #"{"aps":{"timestamp":1750000000,"event":"update","content-state":{"minutes":3}}}"#
        ),
        Case(
            payload: APNSPayload(
                APS(
                    liveActivity: APSLiveActivity(
                        .end(dismissalDate: moment),
                        timestamp: moment,
                        contentState: ["minutes": 0]
                    )
                )
            ),
            json: #"{"aps":{"timestamp":1750000000,"event":"end","dismissal-date":1750000000,"#
                + #""content-state":{"minutes":0}}}"#
        ),
    ]

    @Test("Each key is spelled as Apple has it", arguments: cases)
    func spells(_ example: Case) throws {
        let bytes = try example.payload.bytes()
        #expect(String(decoding: bytes, as: UTF8.self) == example.json)
        #expect(try JSONValue(parsing: bytes) == .object(example.payload.json))
    }

    @Test("A value of the app's own type becomes JSON as ActivityKit reads it")
    func encodes() throws {
        struct Ride: Encodable {
            var driver = "Ann"
            var minutes = 4
            var arrival = Date(timeIntervalSinceReferenceDate: 1000)
        }
        #expect(try JSONValue(encoding: Ride()) == ["driver": "Ann", "minutes": 4, "arrival": 1000])
    }

    @Test(
        "A push that cannot be sent is named, with its value and the expected one",
        arguments: [
            (
                APNSPayload(APS(sound: .critical(volume: 2))),
                "'aps.sound.volume' is 2.0; expected a number from 0 to 1."
            ),
            (APNSPayload(APS(relevanceScore: 75)), "'aps.relevance-score' is 75.0; expected a number from 0 to 1."),
            (APNSPayload(APS(relevanceScore: .nan)), "'aps.relevance-score' is nan; expected a number from 0 to 1."),
            (APNSPayload(APS(badge: -1)), "'aps.badge' is -1; expected 0 or more."),
            (
                APNSPayload(custom: ["list": [1, ["deep": .double(.infinity)]]]),
                "'list[1].deep' is inf; expected a finite number."
            ),
            (
                APNSPayload(custom: ["aps": ["alert": "x"]]),
                "'custom.aps' is an object; expected keys of the app's own; what the system reads belongs into 'aps'."
            ),
        ]
    )
    func refuses(_ payload: APNSPayload, _ sentence: String) {
        let problem = #expect(throws: APNSPayloadProblem.self) { try payload.bytes() }
        #expect(problem?.description == sentence)
    }

    @Test("The limit is 4096 bytes, 5120 for VoIP, and the error counts them", arguments: [4096, 5120])
    func limits(_ limit: Int) throws {
        let type: APNSPushType = limit == 5120 ? .voip : .alert
        // {"a":"…"} takes eight bytes beside the text.
        let most = APNSPayload(custom: ["a": .string(String(repeating: "x", count: limit - 8))])
        #expect(try most.bytes(for: type).count == limit)
        let more = APNSPayload(custom: ["a": .string(String(repeating: "x", count: limit - 7))])
        let problem = #expect(throws: APNSPayloadProblem.self) { try more.bytes(for: type) }
        #expect(
            problem?.description
                == "'payload' is \(limit + 1) bytes long; expected at most \(limit) for '\(type.rawValue)'."
        )
    }
}

@Suite("Payload templates")
struct TemplateTests {
    private static let payloads = [
        APNSPayload(APS(alert: "Lunch is ready", badge: 99, sound: .default), custom: ["table": 7]),
        APNSPayload(APS(alert: "Lunch is ready", others: ["badge": 3])),
        APNSPayload(APS(), custom: ["a": 1]),
        APNSPayload(),
    ]

    @Test("A copy is what the payload itself would be", arguments: payloads, [nil, 0, 7, 1_234_567_890] as [Int?])
    func copies(_ payload: APNSPayload, _ badge: Int?) throws {
        var expected = payload
        expected.aps = payload.aps ?? APS()
        expected.aps?.others = [:]
        expected.aps?.badge = badge
        let copy = try APNSPayloadTemplate(payload).payload(badge: badge)
        // Equal as JSON: in a copy the badge comes last.
        #expect(try JSONValue(parsing: copy) == .object(expected.json))
    }

    @Test("A badge out of range counts as the nearest that devices know")
    func clamps() throws {
        let template = try APNSPayloadTemplate(APNSPayload(APS()))
        #expect(String(decoding: template.payload(badge: -5), as: UTF8.self) == #"{"aps":{"badge":0}}"#)
        #expect(String(decoding: template.payload(badge: .max), as: UTF8.self) == #"{"aps":{"badge":2147483647}}"#)
    }

    @Test("A template too long with its longest badge is refused at once")
    func limits() throws {
        // {"aps":{"badge":2147483647},"a":"…"} takes 35 bytes beside the text.
        func payload(_ count: Int) -> APNSPayload {
            APNSPayload(custom: ["a": .string(String(repeating: "x", count: count))])
        }
        let most = try APNSPayloadTemplate(payload(4096 - 35))
        #expect(most.payload(badge: .max).count == 4096)
        let problem = #expect(throws: APNSPayloadProblem.self) { try APNSPayloadTemplate(payload(4096 - 34)) }
        #expect(problem?.found == "4097 bytes long")
        #expect(throws: Never.self) { try APNSPayloadTemplate(payload(4096 - 34), for: .voip) }
    }

    @Test("A batch of copies arrives byte for byte, each at its device")
    func batch() async throws {
        let template = try APNSPayloadTemplate(
            APNSPayload(APS(alert: "Hello"), custom: ["table": 7]),
            for: .alert
        )
        try await TestServer.with { server in
            let client = try Example.client(for: server)
            var batch = APNSBatch(topic: Example.bundleID, priority: .consideringPower, expiration: .oneAttempt)
            for index in 0..<20 {
                batch.add(DeviceToken(bytes: [UInt8(index)]), template, badge: index == 19 ? nil : index)
            }
            await client.send(batch) { results in
                for result in results { #expect(result.outcome == .accepted) }
            }
            await client.shutdown()
            let bodies = Dictionary(uniqueKeysWithValues: server.received.map { ($0.path, $0.body) })
            #expect(bodies.count == 20)
            #expect(bodies["/3/device/0c"] == #"{"aps":{"alert":"Hello","badge":12},"table":7}"#)
            #expect(bodies["/3/device/13"] == #"{"aps":{"alert":"Hello"},"table":7}"#)
            #expect(server.received.allSatisfy { $0.header("apns-priority") == "5" })
            #expect(server.received.allSatisfy { $0.header("apns-expiration") == "0" })
        }
    }
}

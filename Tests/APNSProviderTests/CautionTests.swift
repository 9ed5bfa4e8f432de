import APNSProvider
import Foundation
import PushModel
import Testing

@Suite("Cautions: APNs accepts the push, and a device may drop or not understand it")
struct CautionTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var type: APNSPushType = .alert
        var topic = "com.example.app"
        var priority: APNSPriority?
        var expiration: APNSExpiration?
        var payload: String
        var cautions: [String]
        var testDescription: String { "\(type.rawValue) \(payload)" }
    }

    static let examples: [Example] = [
        Example(
            payload: "{",
            cautions: [
                "The payload is not JSON: line 1, column 2: the end of the text where a key in quotes was expected."
            ]
        ),
        Example(payload: "[]", cautions: ["The payload is an array; expected an object."]),
        Example(payload: "{}", cautions: ["There is no 'aps', so the system shows and wakes nothing."]),
        Example(payload: #"{"a":1}"#, cautions: ["There is no 'aps', so the system shows and wakes nothing."]),
        Example(payload: #"{"aps":[]}"#, cautions: ["'aps' is an array; expected an object."]),
        Example(
            payload: #"{"aps":{"alert":"a","content_available":1,"threadId":"t","target-content-identifier":"w"}}"#,
            cautions: [
                "'aps.content_available' means nothing; expected 'content-available'.",
                "'aps.threadId' means nothing; expected 'thread-id'.",
                "'aps.target-content-identifier' means nothing; expected 'target-content-id'.",
            ]
        ),
        Example(
            payload: #"{"aps":{"alert":"a"},"badge":3,"sound":"default","interruption-level":"critical","event":"x"}"#,
            cautions: [
                "'badge' stands beside 'aps'; the system reads it inside.",
                "'sound' stands beside 'aps'; the system reads it inside.",
                "'interruption-level' stands beside 'aps'; the system reads it inside.",
            ]
        ),
        Example(
            payload: #"{"aps":{"alert":7,"badge":"3","sound":{"critical":1,"volume":2},"mutable-content":true,"#
                + #""interruption-level":"loud","relevance-score":75,"url-args":[1],"content-state":"x"}}"#,
            cautions: [
                "'aps.alert' is 7; expected a string or an object.",
                "'aps.badge' is the string '3'; expected a whole number, 0 or more.",
                "'aps.sound' is an object; expected a string, or an object with 'name'.",
                "'aps.mutable-content' is true; expected the number 1.",
                "'aps.url-args' is [1]; expected an array of strings.",
                "'aps.content-state' is the string 'x'; expected an object.",
                "'aps.interruption-level' is 'loud', taken for 'active'; "
                    + "expected one of passive, active, time-sensitive, critical.",
                "'aps.sound.volume' is 2.0; expected a number from 0 to 1.",
                "'aps.relevance-score' is 75.0; expected a number from 0 to 1.",
            ]
        ),
        Example(
            payload:
                #"{"aps":{"alert":{"title":5,"subtitle":["a"],"body":"x","loc-key":1,"loc-args":"a","title-loc-args":[1]},"#
                + #""badge":1.5,"sound":{"name":"a","critical":"1","volume":"0.5"}}}"#,
            cautions: [
                "'aps.badge' is 1.5; expected a whole number, 0 or more.", "'aps.alert.title' is 5; expected a string.",
                #"'aps.alert.subtitle' is ["a"]; expected a string."#, "'aps.alert.loc-key' is 1; expected a string.",
                "'aps.alert.loc-args' is the string 'a'; expected an array of strings.",
                "'aps.alert.title-loc-args' is [1]; expected an array of strings.",
                "'aps.sound.critical' is the string '1'; expected the number 1.",
                "'aps.sound.volume' is the string '0.5'; expected a number.",
            ]
        ),
        Example(
            payload: #"{"aps":{"alert":"a","badge":-1}}"#,
            cautions: ["'aps.badge' is -1; expected a whole number, 0 or more."]
        ),
        Example(
            type: .background,
            payload: #"{"aps":{"alert":"a","badge":1}}"#,
            cautions: [
                "A background push has 'alert', 'badge', which the user perceives; expected type 'alert'.",
                "A background push wakes the app with 'content-available': 1, which is missing.",
            ]
        ),
        Example(
            payload: #"{"aps":{"content-available":1}}"#,
            cautions: ["A push of type 'alert' has nothing to perceive; expected type 'background'."]
        ),
        Example(
            type: .background,
            payload: #"{"aps":{"content-available":0}}"#,
            cautions: ["A background push wakes the app with 'content-available': 1, which is missing."]
        ),
        Example(
            payload: #"{"aps":{"alert":null,"content-available":0}}"#,
            cautions: ["A push of type 'alert' has nothing to perceive; expected alert, badge or sound."]
        ),
        Example(
            payload: #"{"aps":{"alert":{"title":"","body":null}}}"#,
            cautions: ["A push of type 'alert' has nothing to perceive; expected alert, badge or sound."]
        ),
        Example(
            payload: #"{"aps":{"mutable-content":1}}"#,
            cautions: [
                "A push of type 'alert' has nothing to perceive; expected alert, badge or sound.",
                "'mutable-content' starts the service extension only with an 'alert', which is missing.",
            ]
        ),
        Example(
            type: .liveactivity,
            topic: "com.example.app.push-type.liveactivity",
            payload: #"{"aps":{"event":"start","timestamp":1750000000000}}"#,
            cautions: [
                "'aps.timestamp' is in milliseconds; expected seconds since 1970.",
                "A Live Activity's push has no 'aps.content-state'.",
                "A Live Activity's push has no 'aps.attributes-type'.",
                "A Live Activity's push has no 'aps.attributes'.", "A Live Activity's push has no 'aps.alert'.",
            ]
        ),
        Example(
            type: .liveactivity,
            topic: "com.example.app.push-type.liveactivity",
            payload: #"{"aps":{"event":"stop"}}"#,
            cautions: [
                "A Live Activity's push has no 'aps.timestamp'.",
                "'aps.event' is 'stop'; expected start, update or end.",
            ]
        ),
        Example(
            type: .liveactivity,
            topic: "com.example.app.push-type.liveactivity",
            payload:
                #"{"aps":{"event":"update","timestamp":1,"content-state":{},"alert":{"title":"a"},"sound":"b.caf","badge":1}}"#,
            cautions: [
                "'aps.sound' stands beside 'alert'; a Live Activity's sound is 'aps.alert.sound'.",
                "The system shows nothing of 'badge' in a push of type 'liveactivity'.",
            ]
        ),
        Example(
            type: .liveactivity,
            topic: "com.example.app.push-type.liveactivity",
            payload: "{}",
            cautions: ["There is no 'aps', which this push type needs."]
        ),
        Example(
            type: .widgets,
            topic: "com.example.app.push-type.widgets",
            payload: #"{"aps":{"alert":"a"}}"#,
            cautions: [
                "It reloads nothing without 'aps.content-changed': true.",
                "The system shows nothing of 'alert' in a push of type 'widgets'.",
            ]
        ),
        Example(
            type: .controls,
            topic: "com.example.app.push-type.controls",
            payload: #"{"aps":{"content-changed":1}}"#,
            cautions: [
                "'aps.content-changed' is 1; expected true or false.",
                "It reloads nothing without 'aps.content-changed': true.",
            ]
        ),
        Example(
            type: .mdm,
            payload: "{}",
            cautions: ["A push of type 'mdm' has no 'mdm', the push magic of the device."]
        ),
        Example(
            topic: "com.example.app.voip",
            expiration: 1_750_000_000_000,
            payload: #"{"aps":{"alert":"a"}}"#,
            cautions: [
                "apns-expiration is 1750000000000; expected seconds since 1970, and these look like milliseconds.",
                "The topic ends like those of type 'voip', and the push is of type 'alert'.",
            ]
        ),
        Example(
            type: .pushtotalk,
            topic: "com.example.app.voip-ptt",
            priority: .consideringPower,
            payload: #"{"aps":{}}"#,
            cautions: ["A push of type 'pushtotalk' is of use at once or never: expected priority 10 and expiration 0."]
        ),
    ]

    private func push(_ example: Example) -> APNSPush {
        APNSPush(
            id: "123e4567-e89b-12d3-a456-426614174000",
            token: DeviceToken(bytes: [1]),
            topic: example.topic,
            pushType: example.type,
            priority: example.priority,
            expiration: example.expiration,
            payload: Array(example.payload.utf8)
        )
    }

    @Test("Is said in a sentence for each", arguments: examples)
    func warns(_ example: Example) {
        #expect(push(example).cautions == example.cautions)
        #expect(push(example).problem == nil, "APNs itself takes it.")
    }

    @Test(
        "A correct push has no cautions",
        arguments: [
            Example(
                payload: #"{"aps":{"alert":{"title":"a"},"sound":{"name":"a.caf","critical":1,"volume":1}}}"#,
                cautions: []
            ),
            Example(
                payload: #"{"aps":{"alert":{"body":"a","action-loc-key":null},"sound":{"name":"a","critical":0}}}"#,
                cautions: []
            ),
            // As libraries write what is not set.
            Example(
                payload: #"{"aps":{"alert":"a","badge":null,"sound":null,"content-available":0,"mutable-content":0}}"#,
                cautions: []
            ),
            Example(payload: #"{"aps":{"badge":1,"mutable-content":0,"interruption-level":null}}"#, cautions: []),
            Example(
                type: .liveactivity,
                topic: "com.example.app.push-type.liveactivity",
                payload: #"{"aps":{"event":"end","timestamp":1,"alert":{"title":{"loc-key":"K"},"body":"a"}}}"#,
                cautions: []
            ),
            Example(type: .mdm, payload: #"{"mdm":"magic"}"#, cautions: []),
            Example(
                type: .liveactivity,
                topic: "com.example.app.push-type.liveactivity",
                payload: #"{"aps":{"event":"end","timestamp":1,"alert":{"title":"a","sound":"b.caf"}}}"#,
                cautions: []
            ),
            Example(
                type: .widgets,
                topic: "com.example.app.push-type.widgets",
                payload: #"{"aps":{"content-changed":true}}"#,
                cautions: []
            ),
            Example(type: .voip, topic: "com.example.app.voip", payload: #"{"call":"1"}"#, cautions: []),
            Example(type: .voip, topic: "com.example.app.voip", payload: #"{"aps":{},"alert":"Ann"}"#, cautions: []),
            Example(
                type: .fileprovider,
                topic: "com.example.app.pushkit.fileprovider",
                payload: #"{"domain":"a","container-identifier":"b"}"#,
                cautions: []
            ),
            Example(type: .background, priority: 5, payload: #"{"aps":{"content-available":1},"x":1}"#, cautions: []),
            Example(
                type: .pushtotalk,
                topic: "com.example.app.voip-ptt",
                priority: .immediately,
                expiration: .oneAttempt,
                payload: #"{"aps":{}}"#,
                cautions: []
            ),
        ]
    )
    func passes(_ example: Example) {
        #expect(push(example).cautions == example.cautions)
    }

    @Test(
        "An expiration that is over is named; a small number is meant as a duration",
        arguments: [
            (
                300,
                "apns-expiration is 300, which is over; expected seconds since 1970, such as 1795000300 for 300 seconds from now."
            ),
            (
                1,
                "apns-expiration is 1, which is over; expected seconds since 1970, such as 1795000001 for 1 second from now."
            ),
            (1_794_999_999, "apns-expiration is 1794999999, which is over; expected seconds since 1970."),
            (-1, "apns-expiration is -1, which is over; expected seconds since 1970."), (0, nil), (1_795_000_001, nil),
            (.max, nil),
        ] as [(Int64, String?)]
    )
    func expired(_ expiration: Int64, _ caution: String?) {
        let now = Date(timeIntervalSince1970: 1_795_000_000)
        #expect(APNSExpiration(rawValue: expiration).caution(at: now) == caution)
    }

    @Test("A payload built of types gives no cause", arguments: PayloadTests.cases)
    func types(_ example: PayloadTests.Case) throws {
        let aps = example.payload.aps
        let type: APNSPushType = aps?.liveActivity != nil ? .liveactivity : aps == .background ? .background : .voip
        let push = try APNSPush(
            example.payload,
            to: DeviceToken(bytes: [1]),
            app: "com.example.app",
            pushType: type
        )
        // Types see to names and values; what a push is for is up to its author.
        let remarks = PayloadReview.remarks(on: push.payload, of: type == .voip ? nil : type)
        let cautions = remarks.filter { !$0.contains("no 'a") && !$0.contains("missing") }
        #expect(cautions == [])
    }
}

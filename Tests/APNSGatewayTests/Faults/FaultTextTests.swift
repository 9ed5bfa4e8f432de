import Foundation
import PushModel
import Testing

@testable import APNSGateway

@Suite("Faults as JSON")
struct FaultTextTests {
    private static let token = String(repeating: "ab", count: 32)

    @Test(
        "A parsed fault is written as it was, and parses as the same again",
        arguments: [
            #"{"kind":"answer","status":429,"reason":"TooManyRequests","token":"\#(token)","next":3}"#,
            #"{"kind":"answer","status":410,"reason":"Unregistered","timestamp":1700000000000,"chance":0.5}"#,
            #"{"kind":"answer","status":502,"body":"<html>","retryAfter":3,"every":2}"#,
            #"{"kind":"latency","seconds":1.5,"topic":"com.example.app"}"#,
            #"{"kind":"latency","seconds":[0.1,0.5],"path":"/3/device/*"}"#,
            #"{"kind":"stall","seconds":30.0,"environment":"production"}"#, #"{"kind":"stall"}"#,
            #"{"kind":"goAway","reason":"Shutdown","code":0,"lastStreamID":"before","twice":true}"#,
            #"{"kind":"goAway","debugData":"x","code":11,"lastStreamID":7,"twice":false,"connection":"first"}"#,
            #"{"kind":"reset","code":8,"taken":true}"#, #"{"kind":"close","taken":false,"connection":4}"#,
            #"{"kind":"streamLimit","streams":1,"from":5.0,"until":10.0}"#,
            #"{"kind":"providerTokens","limit":1,"environment":"production","from":5.0,"until":10.0}"#,
            #"{"kind":"dropDelivery","forGood":true}"#, #"{"kind":"duplicateDelivery","copies":3,"next":1}"#,
        ]
    )
    func roundTrip(_ text: String) throws {
        let json = try JSONValue(parsing: text)
        let fault = try Fault(json: json)
        #expect(JSONValue.object(fault.json) == json)
        #expect(try Fault(json: .object(fault.json)) == fault)
    }

    @Test("Knuff PR #5: a token may have the blanks and brackets with which old apps logged it")
    func knuff5_writtenToken() throws {
        let fault = try Fault(json: ["kind": "stall", "token": "<ABABABAB cdcdcdcd>"])
        #expect(fault.conditions.token?.hexadecimal == "ababababcdcdcdcd")
    }

    @Test("A reason that Apple may add comes with a status; those of its pages are known in both spellings")
    func newReason() throws {
        let fault = try Fault(json: ["kind": "answer", "reason": "NoSuch", "status": 418])
        #expect(fault.json["reason"] == "NoSuch")
        for reason in APNSReason.known { _ = try Fault(json: ["kind": "answer", "reason": .string(reason.rawValue)]) }
        #expect(APNSReason.known.count == Set(APNSReason.known).count)
        #expect(throws: JSONProblem.self) { try Fault(json: ["kind": "answer", "reason": "NoSuch"]) }
    }

    @Test("A reason of APNs brings its status")
    func status() throws {
        let fault = try Fault(json: ["kind": "answer", "reason": "ExpiredProviderToken"])
        #expect(fault.kind == .answer(FaultAnswer(.expiredProviderToken)))
    }

    @Test(
        "A mistake is named, with what was found and what was expected",
        arguments: [
            ("[]", "The document is an array; expected an object."),
            (
                #"{"next":1}"#,
                "Key 'kind' is missing; expected one of 'answer', 'latency', 'stall', 'goAway', 'reset', 'close', "
                    + "'streamLimit', 'providerTokens', 'dropDelivery', 'duplicateDelivery'."
            ),
            (
                #"{"kind":"goaway"}"#,
                "Key 'kind' is 'goaway'; expected one of 'answer', 'latency', 'stall', 'goAway', 'reset', 'close', "
                    + "'streamLimit', 'providerTokens', 'dropDelivery', 'duplicateDelivery'."
            ),
            (#"{"kind":"answer"}"#, "Key 'status' is missing; expected an HTTP status, or a reason of APNs."),
            (#"{"kind":"answer","status":99}"#, "Key 'status' is 99; expected an integer from 200 to 599."),
            (#"{"kind":"answer","status":"429"}"#, "Key 'status' is '429'; expected an integer from 200 to 599."),
            (
                #"{"kind":"answer","reason":"Shutdown","body":"x"}"#,
                "Key 'body' is 'x'; expected either a body or a reason."
            ),
            (
                #"{"kind":"latency"}"#,
                "Key 'seconds' is missing; expected a number of seconds, or two of them as [least, most]."
            ),
            (
                #"{"kind":"latency","seconds":[2,1]}"#,
                "Key 'seconds' is an array; expected a number of seconds, or two of them as [least, most]."
            ),
            (#"{"kind":"stall","chance":1.5}"#, "Key 'chance' is 1.5; expected a number from 0 to 1."),
            (#"{"kind":"stall","next":0}"#, "Key 'next' is 0; expected an integer from 1 to 1000000000."),
            (
                #"{"kind":"stall","environment":"sandbox"}"#,
                "Key 'environment' is 'sandbox'; expected one of 'development', 'production'."
            ),
            (
                #"{"kind":"stall","token":"xyz"}"#,
                "Key 'token' is 'xyz'; expected an even number of hexadecimal digits."
            ),
            (
                #"{"kind":"stall","connection":"last"}"#,
                "Key 'connection' is 'last'; expected the number of a connection, or 'first'."
            ),
            (#"{"kind":"stall","from":5,"until":5}"#, "Key 'until' is 5.0; expected more than 'from', which is 5.0."),
            (
                #"{"kind":"goAway","lastStreamID":"next"}"#,
                "Key 'lastStreamID' is 'next'; expected 'all', 'this', 'before' or the number of a stream."
            ),
            (
                #"{"kind":"streamLimit"}"#, "Key 'streams' is missing; expected how many may be open at once."
            ),
            (
                #"{"kind":"streamLimit","streams":1,"chance":0.5}"#,
                "Key 'chance' is not known here; expected one of 'connection', 'environment', 'from', 'kind', 'streams', "
                    + "'until'."
            ),
            (
                #"{"kind":"providerTokens"}"#,
                "Key 'limit' is missing; expected how many of a key may be new in 20 minutes."
            ),
            (
                #"{"kind":"answer","reason":"BadTopics"}"#,
                "Key 'reason' is 'BadTopics'; expected a reason of APNs; the nearest is 'BadTopic'."
            ),
            (
                #"{"kind":"goAway","reason":"shutdown"}"#,
                "Key 'reason' is 'shutdown'; expected a reason of APNs; the nearest is 'Shutdown'."
            ),
            (#"{"kind":"providerTokens","limit":0}"#, "Key 'limit' is 0; expected an integer from 1 to 1000."),
            (
                #"{"kind":"providerTokens","limit":1,"topic":"a"}"#,
                "Key 'topic' is not known here; expected one of 'environment', 'from', 'kind', 'limit', 'until'."
            ),
            (
                #"{"kind":"duplicateDelivery","path":"/3/device/"}"#,
                "Key 'path' is not known here; expected one of 'chance', 'copies', 'environment', 'every', 'from', 'kind', "
                    + "'next', 'token', 'topic', 'until'."
            ),
        ]
    )
    func refuses(_ text: String, _ problem: String) throws {
        let json = try JSONValue(parsing: text)
        let error = #expect(throws: JSONProblem.self) { try Fault(json: json) }
        #expect(error?.description == problem)
    }

    @Test(
        "A script says in which fault a mistake is",
        arguments: [
            (#"{}"#, "Key 'faults' is missing; expected an array of faults."),
            (#"{"faults":{}}"#, "Key 'faults' is an object; expected an array."),
            (#"{"seed":-1,"faults":[]}"#, "Key 'seed' is -1; expected an integer from 0 to 9007199254740992."),
            (
                #"{"faults":[{"kind":"stall"},{"kind":"stall","every":"x"}]}"#,
                "Key 'faults[1].every' is 'x'; expected an integer from 1 to 1000000000."
            ),
            (#"{"faults":[7]}"#, "Key 'faults[0]' is a number; expected an object."),
            (#"{"faults":[],"speed":1}"#, "Key 'speed' is not known here; expected one of 'faults', 'seed'."),
        ]
    )
    func refusesScripts(_ text: String, _ problem: String) throws {
        let json = try JSONValue(parsing: text)
        let error = #expect(throws: JSONProblem.self) { try FaultScript(json: json) }
        #expect(error?.description == problem)
    }
}

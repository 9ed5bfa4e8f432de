import APNSTransport
public import Foundation
import Logging
import NIOPosix
public import PushClock
public import PushModel

/// One push, one connection and one answer as it came: for tools and diagnosis.
///
/// Nothing is checked before and nothing is repeated afterwards. Whoever sends pushes for a living takes ``APNSClient``,
/// because APNs counts quick connecting and disconnecting as abuse.
public struct APNSProbe: Sendable {
    /// What APNs, or a gateway, had to say.
    public struct Answer: Hashable, Sendable {
        /// 200 when the push was accepted.
        public var status: Int
        /// Nil with 200. A body that is not understood leaves `HTTP` and the status.
        public var reason: APNSReason?
        /// With 410: when the token was last known to be dead.
        public var timestamp: Date?
        /// `apns-id`.
        public var id: String?
        /// `apns-unique-id`, which the development environment gives: the key to Apple's delivery log.
        public var uniqueID: String?
    }

    /// There was no answer; the text says why, for a person.
    public struct NoAnswer: Error, Hashable, CustomStringConvertible {
        public var description: String
    }

    /// A header field of the request: its name in lower case, and its value; nil takes the field out.
    public typealias Field = (name: String, value: String?)

    private let credential: APNSCredential
    private let endpoint: APNSEndpoint
    private let timeout: Duration
    private let clock: any CivilClock

    /// Of the parameters:
    /// * `timeout`: how long the answer may take.
    /// * `clock`: dates the provider token and times the answer.
    public init(
        credential: APNSCredential,
        endpoint: APNSEndpoint,
        timeout: Duration = .seconds(30),
        clock: any CivilClock = SystemClock()
    ) {
        self.credential = credential
        self.endpoint = endpoint
        self.timeout = timeout
        self.clock = clock
    }

    /// Sends a push.
    ///
    /// - Parameters:
    ///   - push: goes out as it is, right or wrong.
    ///   - fields: take the place of the push's own header fields, or are added to them.
    /// - Returns: the answer, whatever it is.
    /// - Throws: ``NoAnswer`` when there is no connection, or no answer in time.
    public func send(_ push: APNSPush, replacing fields: [Field] = []) async throws(NoAnswer) -> Answer {
        if let name = fields.first(where: { !Self.isField($0) })?.name {
            throw NoAnswer(
                description: "'\(name)' is no header field; expected a name in lower case and a value of visible ASCII."
            )
        }
        let line = RequestLine(
            endpoint: endpoint,
            credential: credential,
            answerTimeout: timeout,
            clock: clock,
            group: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "posthorn.apns.probe") { _ in SwiftLogNoOpLogHandler() }
        )
        var headers = push.fields
        for field in fields {
            headers.removeAll { $0.name == field.name }
            if let value = field.value { headers.append((name: field.name, value: value)) }
        }
        let path = "/3/device/\(push.token.hexadecimal)"
        let request = APNSRequest(method: "POST", path: path, headers: headers, body: push.payload)
        let authorizes = !fields.contains { $0.name == "authorization" }
        let result: Result<APNSAnswer, NoAnswer>
        do throws(RequestLine.NoAnswer) {
            result = .success(try await line.answer(to: request, authorizes: authorizes, isRepeatable: false))
        } catch {
            result = .failure(NoAnswer(description: error.description))
        }
        await line.shutdown()
        return Answer(try result.get())
    }

    /// RFC 9113, section 8.2.1, and no more than APNs has.
    private static func isField(_ field: Field) -> Bool {
        let isName =
            !field.name.isEmpty
            && field.name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
        return isName && (field.value ?? "").utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    }
}

extension APNSProbe.Answer {
    fileprivate init(_ answer: APNSAnswer) {
        let refusal = APNSRefusal(status: answer.status, body: answer.body)
        status = answer.status
        reason = answer.status == 200 ? nil : refusal.reason
        timestamp = refusal.timestamp
        id = answer.header("apns-id")
        uniqueID = answer.header("apns-unique-id")
    }
}

extension APNSPush {
    /// The header fields but for the credential's.
    fileprivate var fields: [(name: String, value: String)] {
        let key = HeadCache.Key(
            topic: topic,
            pushType: pushType,
            priority: priority,
            expiration: expiration,
            collapseID: collapseID
        )
        return [(name: "apns-id", value: id)] + key.fields(nil)
    }
}

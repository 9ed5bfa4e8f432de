import APNSTransport
public import Foundation
import Logging
import NIOPosix
public import PushClock
public import PushModel

/// One push, one connection and one raw answer: for tools and diagnosis.
///
/// Nothing is checked in advance and nothing is retried. For regular sending use ``APNSClient``, because APNs treats rapid
/// connecting and disconnecting as abuse.
public struct APNSProbe: Sendable {
    /// The answer of APNs or a gateway.
    public struct Answer: Hashable, Sendable {
        /// The status; 200 if the push was accepted.
        public var status: Int
        /// The reason; nil with 200. For a body that is not understood, it is `HTTP` and the status.
        public var reason: APNSReason?
        /// The date when APNs last knew the token to be dead, with 410.
        public var timestamp: Date?
        /// The value of `apns-id`.
        public var id: String?
        /// The value of `apns-unique-id`, which the development environment returns: the key to Apple's delivery log.
        public var uniqueID: String?
        /// The value of `date`, the server's time in whole seconds; nil if it sends none.
        public var date: Date?
    }

    /// The absence of an answer, with an explanation for a person.
    public struct NoAnswer: Error, Hashable, CustomStringConvertible {
        public var description: String
        /// Whether the server was reached, and TLS or HTTP/2 could not be set up.
        ///
        /// A server that does not accept the provider's certificate may end the handshake.
        public var isHandshake = false
    }

    /// A header field of the request: its name in lower case, and its value; nil removes the field.
    public typealias Field = (name: String, value: String?)

    private let credential: APNSCredential
    private let endpoint: APNSEndpoint
    private let timeout: Duration
    private let clock: any CivilClock

    /// Creates a probe.
    ///
    /// `timeout` is the time to wait for the answer. `clock` is the clock for the provider token's date and the answer
    /// time.
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
    ///   - push: the push, which is sent unchanged and unchecked.
    ///   - fields: header fields that replace the push's own, or are added to them.
    /// - Returns: the answer, whatever it is.
    /// - Throws: ``NoAnswer`` if there is no connection, or no answer in time.
    public func send(_ push: APNSPush, replacing fields: [Field] = []) async throws(NoAnswer) -> Answer {
        if let name = fields.first(where: { !Self.isField($0) })?.name {
            throw NoAnswer(
                description: "'\(name)' is not a header field; expected a lower-case name and a value of visible ASCII."
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
        do throws(NoAnswer) {
            result = .success(try await line.answer(to: request, authorizes: authorizes, isRepeatable: false))
        } catch { result = .failure(error) }
        await line.shutdown()
        return Answer(try result.get())
    }

    /// Whether a field is valid by RFC 9113, section 8.2.1, with no other characters than APNs uses.
    private static func isField(_ field: Field) -> Bool {
        let name = field.name.utf8
        return !name.isEmpty && name.allSatisfy("abcdefghijklmnopqrstuvwxyz0123456789-".utf8.contains)
            && (field.value ?? "").utf8.allSatisfy { (0x20..<0x7F).contains($0) }
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
        date = answer.header("date").flatMap { try? Date($0, strategy: Date.VerbatimFormatStyle.http.parseStrategy) }
    }
}

extension APNSPush {
    /// The header fields except for the credential's.
    fileprivate var fields: [(name: String, value: String)] { [(name: "apns-id", value: id)] + headers.fields(nil) }
}

import APNSTransport
import Foundation
import PushModel

/// What a provider's requests have in common, judged once: credential, topic, push type and priority.
///
/// A provider sends the same few values thousands of times. As long as they come again octet for octet, and nothing that
/// the judgement rests on has changed, it holds.
struct Permit: Sendable {
    private static let names = [
        APNSField.authorization, APNSField.topic, APNSField.pushType, APNSField.priority,
    ]

    /// The values of ``names``; nil for one that is missing.
    private let values: [[UInt8]?]
    /// Of the credential book.
    private let version: Int
    /// Until when the provider token is young enough.
    private let end: Date

    let topic: String
    /// Nil: the header is missing.
    let pushType: APNSPushType?
    let priority: Int

    init(
        _ request: HTTP2Message,
        version: Int,
        end: Date,
        topic: String,
        pushType: APNSPushType?,
        priority: Int
    ) {
        var values: [[UInt8]?] = []
        for name in Self.names {
            values.append(request.range(of: name).map { Array(request.octets[$0]) })
        }
        self.values = values
        self.version = version
        self.end = end
        self.topic = topic
        self.pushType = pushType
        self.priority = priority
    }

    func covers(_ request: HTTP2Message, _ bytes: Span<UInt8>, version: Int, at now: Date) -> Bool {
        guard version == self.version, now < end else { return false }
        for (index, name) in Self.names.enumerated() {
            switch (request.range(of: name), values[index]) {
            case (nil, nil): continue
            case (let range?, let value?):
                guard bytes.extracting(range).isEqual(to: value.span) else { return false }
            default: return false
            }
        }
        return true
    }
}

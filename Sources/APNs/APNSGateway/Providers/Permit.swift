import APNSTransport
import Foundation

/// The common part of a provider's requests, judged once: credential, topic, push type and priority.
///
/// A provider sends the same few values thousands of times. The permit holds as long as they match octet for octet, and
/// nothing that the judgement depends on has changed.
///
/// A class, so that reading it copies nothing.
final class Permit: Sendable {
    private let names: InlineArray<4, FieldName> = [
        APNSField.authorization, APNSField.topic, APNSField.pushType, APNSField.priority,
    ]

    /// The values of ``names``, concatenated.
    private let values: [UInt8]
    /// The range of each value in ``values``; nil for a missing one.
    private let places: InlineArray<4, Range<Int>?>
    /// The version of the credential registry.
    private let version: Int
    /// The date when the provider token expires.
    private let end: Date

    /// The head of a push without a collapse id.
    let head: PushHead
    /// The largest payload in octets.
    let payloadLimit: Int

    init(_ request: HTTP2Message, version: Int, end: Date, head: PushHead, payloadLimit: Int) {
        var values: [UInt8] = []
        let names = names
        places = InlineArray { index in
            request.range(of: names[index]).map { range in
                values += request.octets[range]
                return values.count - range.count..<values.count
            }
        }
        self.values = values
        self.version = version
        self.end = end
        self.head = head
        self.payloadLimit = payloadLimit
    }

    func covers(_ request: HTTP2Message, _ bytes: Span<UInt8>, version: Int, at now: Date) -> Bool {
        guard version == self.version, now < end else { return false }
        let known = values
        let values = known.span
        for index in 0..<4 {
            switch (request.range(of: names[index]), places[index]) {
            case (nil, nil): continue
            case (let range?, let place?):
                guard bytes.extracting(range).isEqual(to: values.extracting(place)) else { return false }
            default: return false
            }
        }
        return true
    }
}

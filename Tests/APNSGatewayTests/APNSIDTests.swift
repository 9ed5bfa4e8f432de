import PushModel
import Testing

@testable import APNSGateway

@Suite("apns-ids")
struct APNSIDTests {
    @Test("Every octet at every place is taken or refused, as a UUID has it", arguments: [1, 2, 3] as [UInt64])
    func everyOctet(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let id = APNSID(high: random.next(), low: random.next())
        let text = Array(id.text.utf8)
        #expect(APNSID(text.span) == id)
        #expect(APNSID(Array(id.text.uppercased().utf8).span) == id)
        var wrong: [String] = []
        for place in text.indices {
            for octet in 0...255 as ClosedRange<UInt8> {
                var changed = text
                changed[place] = octet
                let known = changed.span.isUUID ? String(decoding: changed, as: UTF8.self).lowercased() : nil
                if APNSID(changed.span)?.text != known { wrong.append("\(octet) at \(place)") }
            }
        }
        #expect(wrong == [])
    }

    @Test("A shorter or longer text is not an id")
    func lengths() {
        let text = Array("01234567-89ab-cdef-0123-456789abcdef".utf8)
        for length in 0..<36 { #expect(APNSID(Array(text.prefix(length)).span) == nil) }
        #expect(APNSID((text + [UInt8(ascii: "0")]).span) == nil)
    }
}

/// The rule once more, octet by octet.
extension Span<UInt8> {
    /// Whether the octets are a UUID in text form: 8-4-4-4-12 hexadecimal digits, in either case (RFC 9562, section 4).
    fileprivate var isUUID: Bool {
        guard count == 36 else { return false }
        for place in indices {
            let octet = self[place]
            switch place {
            case 8, 13, 18, 23: guard octet == UInt8(ascii: "-") else { return false }
            default:
                let letter = octet | 0x20
                guard octet &- UInt8(ascii: "0") < 10 || letter &- UInt8(ascii: "a") < 6 else { return false }
            }
        }
        return true
    }
}

import TestSupport
import Testing

@testable import APNSTransport

/// RFC 9113, section 8.2.1.
@Suite("Field names and values", .suiteLimit)
struct FieldNameTests {
    private let catalog = FieldCatalog.shared

    private func isName(_ bytes: [UInt8]) -> Bool { FieldRules.isName(bytes.span) }
    private func isValue(_ bytes: [UInt8]) -> Bool { FieldRules.isValue(bytes.span) }
    private func look(_ bytes: [UInt8]) -> FieldName { catalog.look(bytes.span) }

    @Test("Every name of the catalog has its number, and its number the name")
    func catalogNames() {
        for name in FieldName.allCases where name.rawValue >= FieldName.authorization.rawValue {
            let bytes = catalog.bytes(of: name)
            #expect(!bytes.isEmpty)
            #expect(look(bytes) == name)
            #expect(catalog.name(String(decoding: bytes, as: UTF8.self)) == name)
        }
        #expect(look(Array("apns-collapse-id".utf8)) == FieldName.collapseID)
        #expect(look(Array("retry-after".utf8)) == FieldName.retryAfter)
        #expect(look(Array("x-unknown".utf8)) == .other)
    }

    @Test(
        "Names that may not be",
        arguments: [
            ("", FieldName.malformed), ("Upper", .malformed), ("apns-ID", .malformed), ("with space", .malformed),
            ("with:colon", .malformed), ("tab\t", .malformed), ("nul\0", .malformed), ("umlaut-ä", .malformed),
            ("del\u{7F}", .malformed), (":unknown", .unknownPseudo), (":", .unknownPseudo), (":Path", .unknownPseudo),
            ("connection", .connectionSpecific), ("keep-alive", .connectionSpecific),
            ("proxy-connection", .connectionSpecific), ("transfer-encoding", .connectionSpecific),
            ("upgrade", .connectionSpecific), ("te", .te),
        ]
    )
    func badNames(_ text: String, _ name: FieldName) {
        #expect(look(Array(text.utf8)) == name)
    }

    @Test("All characters of a token may be in a name, and no other octet")
    func tokenCharacters() {
        let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~".utf8)
        for octet in UInt8.min...UInt8.max {
            #expect(isName([0x78, octet]) == allowed.contains(octet))
        }
    }

    @Test("A value has no NUL, CR or LF anywhere and no blank at its ends")
    func values() {
        for octet in UInt8.min...UInt8.max {
            let isForbidden = octet == 0 || octet == 10 || octet == 13
            let isBlank = octet == 9 || octet == 32
            #expect(isValue([0x78, octet, 0x78]) == !isForbidden)
            #expect(isValue([octet, 0x78]) == !(isForbidden || isBlank))
            #expect(isValue([0x78, octet]) == !(isForbidden || isBlank))
            #expect(isValue([octet]) == !(isForbidden || isBlank))
        }
        let empty: [UInt8] = []
        #expect(isValue(empty))
    }
}

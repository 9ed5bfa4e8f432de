import Foundation
import Testing

@testable import APNSTransport

@Suite("Octets as text")
struct HexadecimalTests {
    @Test("Hexadecimal digits of any number of octets", arguments: 0...40)
    func digits(_ count: Int) {
        var chance = SeededChance(UInt64(count))
        let octets = (0..<count).map { _ in UInt8.random(in: 0...255, using: &chance) }
        var text: [UInt8] = [1]
        text.appendHexadecimal(octets.span)
        let expected = octets.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(String(decoding: text.dropFirst(), as: UTF8.self) == expected)
    }

    @Test("UUIDs in their usual form")
    func uuid() {
        for _ in 0..<1000 {
            let octets = UUID().uuid
            let uuid = UUID(uuid: octets)
            let high = unsafe withUnsafeBytes(of: octets) { unsafe $0.loadUnaligned(as: UInt64.self).bigEndian }
            let low = unsafe withUnsafeBytes(of: octets) {
                unsafe $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self).bigEndian
            }
            var text: [UInt8] = []
            text.appendUUID(high, low)
            #expect(String(decoding: text, as: UTF8.self) == uuid.uuidString.lowercased())
        }
    }
}

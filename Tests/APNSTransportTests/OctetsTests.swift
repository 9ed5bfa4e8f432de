import Foundation
import Testing

@testable import APNSTransport

@Suite("Octets")
struct OctetsTests {
    private func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool { one.span.isEqual(to: other.span) }

    @Test("They are the same if each one is", arguments: 0...70)
    func equality(_ count: Int) {
        var chance = SeededChance(UInt64(count))
        let octets = (0..<count).map { _ in UInt8.random(in: 0...255, using: &chance) }
        let same = Array(octets)
        #expect(areEqual(octets, same))
        for place in octets.indices {
            var other = octets
            other[place] ^= 1 << UInt8.random(in: 0...7, using: &chance)
            #expect(!areEqual(octets, other))
        }
        let longer = octets + [0]
        #expect(!areEqual(octets, longer))
    }

    @Test("Other content takes the place of the old one, and of nobody else's")
    func replacement() {
        for count in [0, 1, 5, 6, 7, 200] {
            var octets: [UInt8] = [1, 2, 3, 4, 5, 6]
            let copy = octets
            let new = (0..<count).map { UInt8($0) }
            octets.replaceAll(with: new.span)
            #expect(octets == new)
            #expect(copy == [1, 2, 3, 4, 5, 6])
        }
    }
}

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

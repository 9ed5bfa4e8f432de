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

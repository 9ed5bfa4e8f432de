import PushModel
import Testing

@testable import PushService

@Suite("Columns of the registry")
struct RegistryColumnTests {
    @Test("A column in pieces is a list: it grows, changes, and gives out neighbours and others", arguments: 1...4)
    func pieces(_ seed: UInt64) {
        var generator = SplitMix(seed: seed)
        var column = PieceColumn(blank: 7)
        var list = [Int]()
        for _ in 0..<40 {
            let size = list.count + Int.random(in: 0...2000, using: &generator)
            column.grow(to: size)
            list += Array(repeating: 7, count: size - list.count)
            guard !list.isEmpty else { continue }
            // Some pieces stay as they are.
            for _ in 0..<Int.random(in: 0..<4, using: &generator) {
                let place = Int.random(in: 0..<size, using: &generator)
                column[place] = place
                list[place] = place
            }
            let start = Int.random(in: 0..<size, using: &generator)
            let end = Int.random(in: start + 1...min(size, start + 9000), using: &generator)
            let neighbours = column.slice(start..<end)
            #expect((neighbours == nil) == (start / 8192 != (end - 1) / 8192))
            if let neighbours { #expect(neighbours.elementsEqual(list[start..<end])) }
            let ordinals = (start..<end + 3).filter { _ in Bool.random(using: &generator) }
            let values = ordinals.map { $0 < size ? list[$0] : 7 }
            #expect(column.values(of: ordinals.map { DeviceOrdinal($0) }[...]) == values)
            #expect(column[start] == list[start])
        }
    }

    @Test("A reader that holds neighbours does not see later changes")
    func heldNeighbours() {
        var column = PieceColumn(blank: 0)
        column.grow(to: 10)
        column[3] = 1
        let held = column.slice(2..<5)
        column[3] = 2
        column[4] = 3
        #expect(held.map(Array.init) == [0, 1, 0])
        #expect(column.slice(2..<5).map(Array.init) == [0, 2, 3])
    }

    @Test("A column that grows step by step has no room that it never uses", arguments: [1, 64, 1000, 5000])
    func room(_ step: Int) throws {
        var column = PieceColumn(blank: UInt64(0))
        for size in stride(from: step, through: 40_000, by: step) {
            column.grow(to: size)
            column[size - 1] = 1
        }
        let pieces = try #require(
            Mirror(reflecting: column).descendant("pieces") as? ContiguousArray<ContiguousArray<UInt64>>
        )
        #expect(pieces.count == 5)
        // The allocator rounds up to a page.
        for piece in pieces.dropLast() { #expect(piece.capacity <= 8192 + 512) }
    }

    @Test("Hashes that come together are found as those that come one by one")
    func hashes() {
        var one = HashedOrdinals()
        var many = HashedOrdinals()
        // A few places for many: chains are long, and wrap around the end.
        func hash(_ ordinal: DeviceOrdinal) -> UInt64 { .max - UInt64(ordinal % 10) }
        for start in stride(from: 0, to: 500, by: 100) as StrideTo<DeviceOrdinal> {
            let here = (start..<start + 100).filter { $0 % 3 != 0 }
            for ordinal in here { one.set(hash(ordinal), of: ordinal) }
            // Some had another before.
            for ordinal in here where ordinal % 4 == 0 { many.set(6, of: ordinal) }
            many.add(here.map { ($0, hash($0)) })
            many.set(0, of: start + 1)
            one.set(0, of: start + 1)
            many.set(5, of: start + 2)
            one.set(5, of: start + 2)
        }
        for value in (0..<10).map({ UInt64.max - $0 }) + [5, 6] { #expect(one.devices(value) == many.devices(value)) }
        #expect(many.devices(5) == [2, 101, 102, 201, 202, 301, 302, 401, 402, 500].filter { $0 % 100 == 2 })
    }

    @Test("The same octets have the same number, others another")
    func tagNames() {
        var names = TagNames()
        let words = (0..<3000).map { "tag\($0)" } + ["", "中文"]
        let numbers = words.map { names.number(of: $0.utf8.span) }
        #expect(Set(numbers).count == words.count)
        #expect(words.map { names.number(of: $0.utf8.span) } == numbers)
        #expect(numbers.map { names[$0] } == words)
        #expect(Array(names.all) == words)
        // A number that is free goes to the next new word, and the others keep theirs.
        names.remove(numbers[17])
        #expect(names.find(words[17].utf8.span) == nil)
        #expect(names.number(of: "another".utf8.span) == numbers[17])
        #expect(names.number(of: words[17].utf8.span) == UInt32(words.count))
        #expect(words.indices.allSatisfy { $0 == 17 || names.find(words[$0].utf8.span) == numbers[$0] })
    }
}

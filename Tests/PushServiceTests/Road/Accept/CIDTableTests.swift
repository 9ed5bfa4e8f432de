import Testing

@testable import PushStoreSQLite

@Suite("The table of cids")
struct CIDTableTests {
    private func find(_ hash: UInt64, in table: CIDTable) -> [Int64] {
        var found: [Int64] = []
        table.find(hash, into: &found)
        return found.sorted()
    }

    @Test("Entries are found, through growth and beside others with the same hash or place")
    func find() {
        var table = CIDTable()
        var model: [UInt64: Set<Int64>] = [:]
        var random = SystemRandomNumberGenerator()
        for message in Int64(1)...5000 {
            // Few places, so that many ask for the same; few hashes, so that some have several messages.
            let hash = UInt64.random(in: 0..<64, using: &random) << 40 | UInt64.random(in: 0..<64, using: &random)
            table.insert(message, hash)
            // 0 stands for no hash, and is kept as 1.
            model[max(1, hash), default: []].insert(message)
        }
        for (hash, messages) in model { #expect(find(hash, in: table) == messages.sorted()) }
        for hash in model.keys { #expect(!table.hasNone(hash)) }
        #expect(find(0, in: table) == find(1, in: table))
        #expect(find(1 << 50, in: table) == [])
    }

    @Test("A pair that comes twice stands once")
    func pairs() {
        var table = CIDTable()
        for _ in 0..<200 { table.insert(7, 9) }
        #expect(find(9, in: table) == [7])
        #expect(CIDTable().hasNone(9))
    }
}

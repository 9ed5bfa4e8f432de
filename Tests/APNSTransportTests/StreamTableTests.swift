import TestSupport
import Testing

@testable import APNSTransport

@Suite("Stream table", .suiteLimit)
struct StreamTableTests {
    @Test("Agrees with a dictionary through openings and closings", arguments: 1...9)
    func againstADictionary(_ seed: Int) {
        var chance = SeededChance(UInt64(seed))
        var table = StreamTable(vacant: 0)
        var dictionary: [UInt32: Int] = [:]
        var next: UInt32 = 1
        let most = [4, 40, 1000][seed % 3]
        for step in 0..<1500 {
            let isFull = dictionary.count >= most
            if !isFull, Int.random(in: 0..<5, using: &chance) < 3 {
                // Some ids are left out, as a client may; some jump far, so that places collide.
                next += [2, 2, 2, 4, 64, 2048].randomElement(using: &chance) ?? 2
                let place = table.insert(next, step)
                #expect(table[place] == step)
                dictionary[next] = step
            } else if let id = dictionary.keys.sorted().randomElement(using: &chance) {
                guard let place = table.place(of: id) else {
                    Issue.record("stream \(id) is lost")
                    return
                }
                #expect(table[place] == dictionary.removeValue(forKey: id))
                table.remove(at: place)
                #expect(table.place(of: id) == nil)
            }
            #expect(table.count == dictionary.count)
            if step % 97 == 0 {
                #expect(table.openIDs == dictionary.keys.sorted())
                for (id, value) in dictionary { #expect(table.place(of: id).map { table[$0] } == value) }
                table.changeAll { $0 += 1 }
                for id in dictionary.keys { dictionary[id, default: 0] += 1 }
            }
        }
    }

    @Test("Is empty at first and after the last has gone, and finds nothing then")
    func empty() {
        var table = StreamTable(vacant: 0)
        #expect(table.place(of: 1) == nil)
        #expect(table.openIDs == [])
        for id in stride(from: 1 as UInt32, to: 401, by: 2) { table.insert(id, Int(id)) }
        #expect(table.count == 200)
        for id in stride(from: 1 as UInt32, to: 401, by: 2) {
            if let place = table.place(of: id) { table.remove(at: place) }
        }
        #expect(table.count == 0)
        table.shrinkIfEmpty()
        #expect(table.place(of: 1) == nil)
        table.insert(401, 7)
        #expect(table.place(of: 401).map { table[$0] } == 7)
        #expect(table.openIDs == [401])
    }
}

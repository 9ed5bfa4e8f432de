import Foundation
import PushModel
import PushStoreSQLite
import Synchronization
import TestSupport
import Testing

@testable import PushService

/// The addresses of the pieces of a value; copies that share a piece have the same address there.
private func pieces<Column>(_ column: Column) -> [UInt] {
    Mirror(reflecting: column).children.flatMap { child -> [UInt] in
        switch child.value {
        case let words as ContiguousArray<UInt64>: [address(words)]
        case let lists as ContiguousArray<ContiguousArray<ContiguousArray<UInt8>>>: lists.flatMap { $0.map(address) }
        case let sets as ContiguousArray<ContiguousArray<DeviceSet>>: sets.map(address)
        case let blocks as ContiguousArray<DeviceBits>: blocks.flatMap(pieces)
        case is TagNames: []
        default: pieces(child.value)
        }
    }
}

private func address<Element>(_ list: ContiguousArray<Element>) -> UInt {
    unsafe list.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
}

extension HashIndex {
    fileprivate func has(_ number: UInt32, _ hash: UInt64) -> Bool {
        var isFound = false
        forEach(hash) { candidate in
            isFound = candidate == number
            return !isFound
        }
        return isFound
    }
}

private func countUnlike(_ one: [UInt], _ other: [UInt]) -> Int { zip(one, other).count { $0 != $1 } }

/// The cost of a change depends on its size alone.
@Suite("A registry of many devices and tags", .suiteLimit)
struct RegistryScaleTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func entry(_ ordinal: DeviceOrdinal, tags: [String], version: UInt32 = 1) -> AudienceEntry {
        AudienceEntry(
            id: DeviceID(app: 1, ordinal: ordinal),
            version: version,
            token: testToken(ordinal, 1),
            environment: .production,
            alias: "alias\(ordinal)",
            tags: tags,
            badge: 0,
            lastSeen: Self.now
        )
    }

    private func device(
        _ ordinal: DeviceOrdinal,
        app: App.ID = 1,
        tags: [String],
        version: UInt32 = 1
    ) -> RegisteredDevice {
        RegisteredDevice(
            id: DeviceID(app: app, ordinal: ordinal),
            installation: "\(ordinal)",
            secretHash: SecretHash(bytes: []),
            token: testToken(ordinal, app),
            environment: .production,
            tokenRegisteredAt: Self.now,
            tags: tags,
            lastSeen: Self.now,
            version: version
        )
    }

    @Test("A change of tags beside 70,000 others touches the sets of those tags, and one piece of the devices")
    func tagChange() {
        var columns = AudienceColumns()
        for ordinal in 0..<70_000 as Range<DeviceOrdinal> { columns.apply(entry(ordinal, tags: ["own\(ordinal)"])) }
        // As a reader holds it who looks at them meanwhile.
        let before = columns
        columns.apply(entry(123, tags: ["own123", "new", "own69999"], version: 2))
        let all = pieces(before.tagTable)
        let changed = pieces(columns.tagTable)
        #expect(all.count > 130)
        #expect((1...4).contains(countUnlike(all, changed)))
        #expect(countUnlike(pieces(before.flags), pieces(columns.flags)) == 0)
        #expect(columns.tagTable["own69999"]?.ordinals == [123, 69_999])
        #expect(before.tagTable["own69999"]?.ordinals == [69_999])

        columns.apply(entry(123, tags: [], version: 3))
        #expect(columns.tagTable["own123"] == nil)
        #expect(columns.tagTable["own69999"]?.ordinals == [69_999])
        #expect(!columns.tagTable.names.all.contains("new"))
        columns.forget(69_999)
        #expect(columns.tagTable["own69999"] == nil)
        #expect(columns.tagTable.names.all.count(where: { _ in true }) == 69_998)
    }

    @Test(
        "Late news of a deleted device does not bring it back; questions about a missing one trap nothing"
    )
    func goneAndUnknown() {
        var columns = AudienceColumns()
        columns.apply(entry(5, tags: ["t"]))
        columns.forget(5)
        columns.apply(entry(5, tags: ["t"], version: 2))
        #expect(!columns.contains(5))
        #expect(!columns.hasToken(5))
        #expect(columns.tagTable["t"] == nil)
        // A list of devices may come from the store before the registry has heard of them.
        for ordinal: DeviceOrdinal in [3, 5, 70_000, .max] { #expect(columns.lastSeen(ordinal) == .distantPast) }
    }

    @Test("While somebody finds out who is meant, a device that goes away costs the copy of one block of each column")
    func heldQuestion() throws {
        var columns = AudienceColumns()
        columns.grow(to: 300_000)
        for ordinal in stride(from: 0, to: 300_000, by: 1000) as StrideTo<DeviceOrdinal> {
            columns.apply(entry(ordinal, tags: ["t"]))
        }
        let asked = columns.question(AudienceNames(.all), registered: [], at: Self.now)
        let question = try #require(asked)
        let before = columns.flags
        columns.forget(150_000)
        #expect(
            countUnlike(pieces(before), pieces(columns.flags)) == 3,
            "One block each: token, environment, activity."
        )
        #expect(question.resolution(in: .production).reachable.count == 300)
        let after = columns.question(AudienceNames(.all), registered: [], at: Self.now)
        #expect(after?.resolution(in: .production).reachable.count == 299)
    }

    @Test("A badge that a step has stored counts if nothing came between, and is read with the rest otherwise")
    func badges() {
        var columns = AudienceColumns()
        columns.apply([entry(0, tags: []), entry(1, tags: []), entry(2, tags: [], version: 7)])
        let outdated = columns.apply([
            StoredBadge(0, badge: 4, version: 2), StoredBadge(0, badge: 5, version: 3),
            StoredBadge(1, badge: 6, version: 3), StoredBadge(2, badge: 8, version: 6),
            StoredBadge(9, badge: 1, version: 2),
        ])
        #expect(outdated == [1, 9])
        #expect((0..<3).map { columns.badges[$0] } == [5, 0, 0])
        // A change before it that arrives late is older.
        columns.apply(entry(0, tags: ["late"], version: 2))
        #expect(columns.badges[0] == 5)
        #expect(!columns.tagTable.has(0, tag: "late"))
        columns.forget(2)
        #expect(columns.apply([StoredBadge(2, badge: 9, version: 8)]) == [])
        #expect(columns.badges[2] == 0)
    }

    @Test("Audiences are resolved without the lock, and other apps are asked while one is locked")
    func locks() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteStore(path: folder.appending(path: "store.sqlite").path)
            let registry = try await Registry(store: store, keys: testKeys)
            registry.apply([device(0, tags: ["a"]), device(1, tags: ["b"]), device(0, app: 2, tags: ["a"])])
            var filter = Audience.Filter()
            filter.tags = ["a", "b"]
            let question = try #require(registry.question(.filter(filter), of: 1, at: Self.now))
            let (meant, others) = registry.devices(of: 1).state.withLock { state in
                // What takes the same lock again would end the process here.
                state.columns.apply(device(1, tags: [], version: 2).audienceEntry)
                let others = registry.resolve(.all, of: 2, environment: .production, at: Self.now)
                return (question.resolution(in: .production), others)
            }
            #expect(meant.reachable == [0, 1], "As it was when it was asked.")
            #expect(others.reachable == [0])
            #expect(registry.resolve(.filter(filter), of: 1, environment: .production, at: Self.now).reachable == [0])
        }
    }

    @Test(
        "An index splits a bucket at a time while it grows, and finds all of it",
        arguments: 1...rounds(1, release: 3)
    )
    func index(_ seed: UInt64) {
        var generator = SplitMix(seed: seed)
        var index = HashIndex()
        var hashes = [UInt64]()
        var removed: Set<UInt32> = []
        for number in 0..<20_000 as Range<UInt32> {
            // Some hashes are shared by many, and no split tells them apart.
            let hash = number % 40 == 0 ? 7 : UInt64.random(in: .min ... .max, using: &generator)
            hashes.append(hash)
            let before = index.bucketCount
            index.insert(number, hash)
            if index.bucketCount > before + 12 { Issue.record("\(number) made \(index.bucketCount - before) buckets.") }
            guard number % 3 == 0, let gone = (0...number).randomElement(using: &generator) else { continue }
            if removed.insert(gone).inserted { index.remove(gone, hashes[Int(gone)]) }
        }
        #expect(index.bucketCount > 80)
        var wrong = 0
        for (number, hash) in hashes.enumerated() {
            if index.has(UInt32(number), hash) == removed.contains(UInt32(number)) { wrong += 1 }
        }
        #expect(wrong == 0)
    }

    @Test("An index that is made at once finds the same as one that grew", arguments: 1...rounds(1, release: 3))
    func indexAtOnce(_ seed: UInt64) {
        var generator = SplitMix(seed: seed)
        for count in [0, 1, 150, 161, 5000, 90_000] {
            let hashes = (0..<count).map { number in
                // Some have none, and some have one together that no split tells apart.
                number % 7 == 0 ? 0 : number % 40 == 1 ? 7 : UInt64.random(in: .min ... .max, using: &generator)
            }
            var index = HashIndex(of: count) { hashes[$0] }
            var wrong = 0
            for (number, hash) in hashes.enumerated() {
                if index.has(UInt32(number), hash) != (hash != 0) { wrong += 1 }
            }
            #expect(wrong == 0, "\(count)")
            // It goes on like any other.
            for (number, hash) in hashes.enumerated() where hash != 0 { index.remove(UInt32(number), hash) }
            index.insert(3, 9)
            var left: [UInt32] = []
            for hash in Set(hashes + [9]) where hash != 0 {
                index.forEach(hash) { number in
                    left.append(number)
                    return true
                }
            }
            #expect(left == [3], "\(count)")
        }
    }

    @Test("No two names of any length have the same hash, and a name has one however it is asked for")
    func keyedHashes() {
        var names: Set<String> = []
        for length in 0...48 {
            let plain = [UInt8](repeating: UInt8(ascii: "a"), count: length)
            // What differs in one octet, or in nothing but its length.
            for place in plain.indices {
                var other = plain
                other[place] = UInt8(ascii: "b")
                names.insert(String(decoding: other, as: UTF8.self))
            }
            names.insert(String(decoding: plain, as: UTF8.self))
            names.insert(String(repeating: "\0", count: length))
        }
        let all = Array(names)
        let hashes = KeyedHash.hashes(all)
        #expect(Set(hashes).count == all.count)
        #expect(!hashes.contains(0))
        #expect(all.map { KeyedHash.hash($0) } == hashes)
        #expect(all.map { KeyedHash.hash(Array($0.utf8).span) } == hashes)
    }

    @Test(
        "A set of devices gives out a page from any ordinal on, as the list of them does",
        arguments: 1...rounds(1, release: 4)
    )
    func pages(_ seed: UInt64) {
        var generator = SplitMix(seed: seed)
        var set = DeviceSet()
        var list = Set<DeviceOrdinal>()
        for size in [0, 1, 2, 50, 9000] {
            while list.count < size {
                // Dense in one block, thin in others.
                let end: DeviceOrdinal = Bool.random(using: &generator) ? 12_000 : 400_000
                let ordinal = DeviceOrdinal.random(in: 0..<end, using: &generator)
                list.insert(ordinal)
                set.insert(ordinal)
            }
            let sorted = list.sorted()
            #expect(set.ordinals == sorted)
            for _ in 0..<20 {
                let start = DeviceOrdinal.random(in: 0..<410_000, using: &generator)
                let limit = Int.random(in: 0...300, using: &generator)
                let isRight =
                    set.ordinals(from: start, limit: limit) == Array(sorted.filter { $0 >= start }.prefix(limit))
                #expect(isRight, "seed \(seed), \(size) devices, from \(start)")
            }
        }
        for ordinal in list.shuffled(using: &generator) {
            #expect(set.contains(ordinal))
            set.remove(ordinal)
            if set.contains(ordinal) { Issue.record("\(ordinal) is still there.") }
        }
        #expect(set.isEmpty)
    }

    @Test("Devices not seen for long are looked for only in the pieces that may have them")
    func signs() {
        var signs = LastSeenTimes()
        signs.grow(to: 3 * LastSeenTimes.size)
        for place in 0..<3 * LastSeenTimes.size where place % 5 != 0 { signs[place] = 1000 }
        signs[LastSeenTimes.size + 1] = 10
        #expect(signs.pieces(before: 1000) == [1])
        #expect(signs.places(ofPiece: 1, before: 1000) == [LastSeenTimes.size + 1])
        // It may be as early as it was until somebody looks.
        signs[LastSeenTimes.size + 1] = 2000
        #expect(signs.pieces(before: 1000) == [1])
        #expect(signs.places(ofPiece: 1, before: 1000) == [])
        #expect(signs.pieces(before: 1000) == [])
        signs[7] = 0
        #expect(!signs.places(ofPiece: 0, before: .max).contains(7))
    }

    @Test("The first names of many are those that sorting gives")
    func smallest() {
        let names = (0..<500).map { "\($0 * 7919 % 500)" }
        for limit in [0, 1, 100, 500, 600, .max] {
            #expect(names.smallest(limit) == Array(names.sorted().prefix(limit)))
        }
    }

    @Test("Ordinals are sorted, each once, whatever their number", arguments: [0, 1, 2, 63, 64, 5000])
    func ordinals(_ count: Int) {
        var generator = SplitMix(seed: UInt64(count))
        let list =
            (0..<count).map { _ in DeviceOrdinal.random(in: 0...UInt32(count * 300), using: &generator) } + [
                .max, 5, 5,
            ]
        #expect(list.sortedOnce() == Set(list).sorted())
    }
}

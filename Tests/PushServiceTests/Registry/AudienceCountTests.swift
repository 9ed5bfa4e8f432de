import Foundation
import PushModel
import TestSupport
import Testing

@testable import PushService

/// A count is the number of devices that a push would find: each test compares with the resolution.
@Suite("The size of an audience", .suiteLimit)
struct AudienceCountTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// Devices of every kind, in an order that fills no word evenly.
    private static func columns(_ count: DeviceOrdinal, for segments: [Segment] = []) -> AudienceColumns {
        var columns = AudienceColumns()
        _ = columns.attributes.want(segments)
        for ordinal in 0..<count {
            var entry = AudienceEntry(
                id: DeviceID(app: 1, ordinal: ordinal),
                version: 1,
                token: ordinal % 7 == 0 ? nil : testToken(ordinal, 1),
                environment: ordinal % 3 == 0 ? .development : .production,
                alias: "alias\(ordinal / 5)",
                tags: [ordinal % 2 == 0 ? "even" : "odd"] + (ordinal % 97 == 0 ? ["rare"] : []),
                badge: 0,
                lastSeen: ordinal % 13 == 0 ? now.addingTimeInterval(-300 * 86_400) : now
            )
            entry.isStopped = ordinal % 11 == 0
            entry.isRefused = ordinal % 14 == 0
            entry.language = ordinal % 7 == 0 ? nil : ordinal % 7 == 1 ? "zh-Hant-HK" : "en-GB"
            entry.zone = ordinal % 5 == 0 ? nil : ordinal % 5 == 1 ? "Asia/Shanghai" : "Europe/Berlin"
            entry.system = "iOS 1\(ordinal % 19).\(ordinal % 3)"
            entry.registeredAt = ordinal % 3 == 0 ? nil : now.addingTimeInterval(-Double(ordinal % 30) * 86_400)
            entry.appVersion = ordinal % 17 == 0 ? nil : "1.\(ordinal % 17)"
            entry.attributes = attributes(ordinal)
            columns.apply(entry)
        }
        return columns
    }

    /// Shared, because making them takes longer than most questions.
    private static let crowd = columns(70_000)

    private static func attributes(_ ordinal: DeviceOrdinal) -> [String: String] {
        guard ordinal % 4 != 0 else { return [:] }
        return ["plan": ["free", "pro", "team"][Int(ordinal % 3)], "name": "n\(ordinal)"]
    }

    /// The reachable and other devices of both environments.
    private func devices(of query: AudienceQuery) -> [DeviceOrdinal] {
        let found = query.resolution(in: .production)
        return (found.linked + found.stopped).sorted()
    }

    @Test("A segment has the devices that meet all its conditions, within any audience")
    func segments() throws {
        func isActive(_ ordinal: DeviceOrdinal) -> Bool { ordinal % 13 != 0 }
        func isOff(_ ordinal: DeviceOrdinal) -> Bool { ordinal % 11 == 0 }
        let table: [(rule: String, isMeant: (DeviceOrdinal) -> Bool)] = [
            ("{}", { _ in true }),
            ("{\"audience\":{\"tag\":[\"rare\",\"odd\"],\"tag_not\":[\"none\"]}}", { $0 % 97 == 0 || $0 % 2 == 1 }),
            ("{\"audience\":{\"tag_and\":[\"even\",\"rare\"]}}", { $0 % 97 == 0 && $0 % 2 == 0 }),
            ("{\"audience\":{\"alias\":[\"alias7\",\"alias13500\"]}}", { [7, 13_500].contains($0 / 5) }),
            ("{\"zone\":[\"Asia/Shanghai\"]}", { $0 % 5 == 1 }),
            ("{\"language\":[\"zh\"]}", { $0 % 7 == 1 }), ("{\"language\":[\"zh-Hans\",\"en-US\"]}", { _ in false }),
            ("{\"language\":[\"zh-HK\",\"en\"]}", { $0 % 7 != 0 }),
            ("{\"app_version\":{\"from\":\"1.9\",\"to\":\"1.12\"}}", { (9...12).contains($0 % 17) }),
            ("{\"system\":[\"iOS 17\",\"iOS 112.1\"]}", { $0 % 19 == 7 || $0 % 19 == 12 && $0 % 3 == 1 }),
            ("{\"registered_within_days\":7}", { $0 % 3 != 0 && $0 % 30 <= 7 }),
            ("{\"seen_within_days\":10}", { _ in true }),
            ("{\"unseen_for_days\":10}", { _ in false }),
            ("{\"push_state\":[\"push_off\"]}", { isOff($0) }),
            ("{\"push_state\":[\"reachable\",\"push_off\"]}", { isOff($0) || $0 % 7 != 0 }),
            ("{\"push_state\":[\"without_token\"]}", { !isOff($0) && $0 % 7 == 0 && $0 % 14 != 0 }),
            (
                "{\"push_state\":[\"refused\"],\"zone\":[\"Asia/Shanghai\"]}",
                { !isOff($0) && $0 % 14 == 0 && $0 % 5 == 1 }
            ),
            ("{\"attributes\":{\"plan\":[\"pro\",\"team\"]}}", { $0 % 4 != 0 && $0 % 3 != 0 }),
            (
                "{\"attributes\":{\"plan\":[\"pro\"],\"name\":[\"n7\",\"n8\",\"n19\"]},\"zone\":[\"Europe/Berlin\"]}",
                { [7, 19].contains($0) }
            ),
            ("{\"attributes\":{\"none\":[\"pro\"]}}", { _ in false }),
        ]
        let segments = try table.map { try Segment(name: "s", rule: JSONValue(parsing: $0.rule)) }
        var columns = Self.columns(70_000, for: segments)
        var odd = Audience.Filter()
        odd.tags = ["odd"]
        var named = Audience.Filter()
        named.aliases = (0..<300).map { "alias\($0 * 45)" }
        let audiences: [(Audience, (DeviceOrdinal) -> Bool)] = [
            (.all, { _ in true }), (.filter(odd), { $0 % 2 == 1 }),
            (.filter(named), { $0 / 5 % 45 == 0 && $0 / 5 / 45 < 300 }),
        ]
        for ((rule, isMeant), segment) in zip(table, segments) {
            let meant = (0..<70_000).filter { isActive($0) && isMeant($0) }
            for (audience, isInAudience) in audiences {
                let found = columns.question(AudienceNames(audience), registered: [], at: Self.now)
                var query = try #require(found)
                query.segments = [SegmentQuery(segment, columns, at: Self.now)]
                check(query)
                #expect(devices(of: query) == meant.filter(isInAudience), "\(rule)")
            }
        }
    }

    @Test("The attributes that a new segment names are read from the store, but for devices that are newer in memory")
    func newAttributes() throws {
        var columns = Self.columns(100)
        let segment = try Segment(name: "s", rule: ["attributes": ["plan": ["pro"]]])
        let wanted = columns.attributes.want([segment])
        let values = try #require(wanted)
        #expect(values == ["plan": Set(exactly: ["pro"])])
        func devices() throws -> [DeviceOrdinal] {
            let found = columns.question(AudienceNames(.all), registered: [], at: Self.now)
            var query = try #require(found)
            query.segments = [SegmentQuery(segment, columns, at: Self.now)]
            return self.devices(of: query)
        }
        #expect(try devices() == [])
        var changed = AudienceEntry(
            id: DeviceID(app: 1, ordinal: 1),
            version: 2,
            token: testToken(1, 1),
            environment: .production,
            tags: [],
            badge: 0,
            lastSeen: Self.now
        )
        changed.attributes = ["plan": "free"]
        columns.apply(changed)
        columns.apply([1, 7, 8, 500].map { StoredAttributes($0, version: 1, ["plan": $0 == 8 ? "team" : "pro"]) })
        #expect(try devices() == [7])
        columns.attributes.noteRead(values)
        let missing = columns.attributes.want([segment])
        #expect(missing == nil)
        changed.version = 3
        changed.attributes = ["plan": "pro"]
        columns.apply(changed)
        #expect(try devices() == [1, 7])
        columns.forget(7)
        #expect(try devices() == [1])
    }

    @Test("A value in other scalars is another value, also after another device has brought it")
    func valuesInOtherScalars() throws {
        let one = "Montr\u{E9}al"
        let two = "Montre\u{301}al"
        let segments = try [one, two].map { try Segment(name: "s", rule: ["attributes": ["city": [.string($0)]]]) }
        var columns = Self.columns(4, for: segments)
        columns.apply([(0, one), (1, two), (2, one)].map { StoredAttributes($0, version: 1, ["city": $1]) })
        for (segment, expected) in zip(segments, [[2], [1]] as [[DeviceOrdinal]]) {
            let found = columns.question(AudienceNames(.all), registered: [], at: Self.now)
            var query = try #require(found)
            query.segments = [SegmentQuery(segment, columns, at: Self.now)]
            // Device 0 was last seen too long ago.
            #expect(devices(of: query) == expected)
        }
    }

    @Test("A value that no segment names any more is dropped, unless somebody is about to name it")
    func droppedAttributes() throws {
        var columns = Self.columns(100)
        func segment(_ values: JSONValue) throws -> Segment {
            try Segment(name: "s", rule: ["attributes": ["plan": values]])
        }
        let old = try segment(["pro", "team"])
        let new = try segment(["pro"])
        let unread = columns.attributes.want([old])
        columns.apply([1, 7, 8].map { StoredAttributes($0, version: 1, ["plan": $0 == 8 ? "team" : "pro"]) })
        columns.attributes.noteRead(try #require(unread))
        #expect(columns.attributes["plan"].inUse.sorted() == ["pro", "team"])
        let claim = columns.attributes.claim([old])
        columns.attributes.keep([new])
        #expect(columns.attributes["plan"].inUse.sorted() == ["pro", "team"], "The claim keeps it.")
        columns.attributes.release(claim)
        columns.attributes.keep([new])
        #expect(columns.attributes["plan"].inUse == ["pro"])
        #expect(columns.attributes["plan"][8] == nil && columns.attributes["plan"][7] == "pro")
        let known = columns.attributes.want([new])
        #expect(known == nil)
        let again = columns.attributes.want([old])
        #expect(again == ["plan": Set(exactly: ["pro", "team"])], "What was dropped has to be read again.")
        columns.attributes.keep([])
        #expect(columns.attributes["plan"].inUse.isEmpty && columns.attributes["plan"][7] == nil)
    }

    @Test("The groups of an A/B test share no device, and together have all")
    func shares() throws {
        var columns = Self.crowd
        func group(_ test: String, _ percent: Range<Int>) throws -> [DeviceOrdinal] {
            let share = "{\"test\":\"\(test)\",\"from\":\(percent.lowerBound),\"to\":\(percent.upperBound)}"
            let segment = try Segment(name: "s", rule: JSONValue(parsing: "{\"share\":\(share)}"))
            let found = columns.question(AudienceNames(.all), registered: [], at: Self.now)
            var query = try #require(found)
            query.segments = [SegmentQuery(segment, columns, at: Self.now)]
            check(query)
            return devices(of: query)
        }
        let groups = [try group("autumn", 0..<10), try group("autumn", 10..<30), try group("autumn", 30..<100)]
        let everyone = (0..<70_000 as Range<DeviceOrdinal>).filter { $0 % 13 != 0 }
        #expect(groups.flatMap(\.self).sorted() == everyone)
        func share(_ count: Int) -> Double { Double(count) / Double(everyone.count) }
        for (group, wanted) in zip(groups, [0.1, 0.2, 0.7]) { #expect(abs(share(group.count) - wanted) < 0.01) }
        #expect(try group("autumn", 0..<10) == groups[0])
        // Another test divides the devices independently.
        let both = Set(groups[0]).intersection(try group("winter", 0..<10))
        #expect(abs(share(both.count) - 0.01) < 0.005)
    }

    private func check(_ query: AudienceQuery, sourceLocation: SourceLocation = #_sourceLocation) {
        let counts = query.counts()
        let production = query.resolution(in: .production)
        let development = query.resolution(in: .development)
        #expect(counts.production == production.reachable.count, sourceLocation: sourceLocation)
        #expect(counts.development == development.reachable.count, sourceLocation: sourceLocation)
        #expect(counts.refused == production.refused.count + development.refused.count, sourceLocation: sourceLocation)
        #expect(
            counts.withoutToken == production.withoutToken.count + development.withoutToken.count,
            sourceLocation: sourceLocation
        )
        #expect(counts.stopped == production.stopped.count, sourceLocation: sourceLocation)
        let elsewhere = [production.inOtherEnvironment, production.withoutToken]
        let ended = [production.refused, production.stopped]
        let all = [production.reachable] + elsewhere + ended
        #expect(counts.devices == all.reduce(0) { $0 + $1.count }, sourceLocation: sourceLocation)
    }

    @Test("Everyone, tags and names are counted as they would be found")
    func agrees() throws {
        var columns = Self.crowd
        var filters: [Audience.Filter] = []
        func add(_ change: (inout Audience.Filter) -> Void) {
            var filter = Audience.Filter()
            change(&filter)
            filters.append(filter)
        }
        add { $0.tags = ["even"] }
        add { $0.tags = ["rare", "none"] }
        add { $0.tagsAnd = ["even", "rare"] }
        add { $0.tagsNot = ["odd"] }
        add { $0.aliases = (0..<300).map { "alias\($0 * 40)" } }
        add { ($0.aliases, $0.tags) = ((0..<300).map { "alias\($0)" }, ["odd"]) }
        for audience in [Audience.all] + filters.map(Audience.filter) {
            let found = columns.question(AudienceNames(audience), registered: [], at: Self.now)
            let query = try #require(found)
            check(query)
            #expect(query.counts().devices > 0)
        }
    }
}

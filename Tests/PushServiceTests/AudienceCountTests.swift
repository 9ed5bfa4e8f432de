import Foundation
import PushModel
import TestSupport
import Testing

@testable import PushService

/// What is counted is what a push would find: each test compares with the resolution.
@Suite("The size of an audience", .timeLimit(.minutes(5)))
struct AudienceCountTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// Devices of every kind, in an order that fills no word evenly.
    private func columns(_ count: DeviceOrdinal) -> AudienceColumns {
        var columns = AudienceColumns()
        for ordinal in 0..<count {
            var entry = AudienceEntry(
                id: DeviceID(app: 1, ordinal: ordinal),
                version: 1,
                token: ordinal % 7 == 0 ? nil : testToken(ordinal, 1),
                environment: ordinal % 3 == 0 ? .development : .production,
                alias: "alias\(ordinal / 5)",
                tags: [ordinal % 2 == 0 ? "even" : "odd"] + (ordinal % 97 == 0 ? ["rare"] : []),
                badge: 0,
                lastSeen: ordinal % 13 == 0 ? Self.now.addingTimeInterval(-300 * 86_400) : Self.now
            )
            entry.isStopped = ordinal % 11 == 0
            entry.isRefused = ordinal % 14 == 0
            columns.apply(entry)
        }
        return columns
    }

    private func check(_ query: AudienceQuery, sourceLocation: SourceLocation = #_sourceLocation) {
        let counts = query.counts()
        let (production, development) = (query.resolution(in: .production), query.resolution(in: .development))
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
        var columns = columns(70_000)
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

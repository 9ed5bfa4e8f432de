import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

/// Audiences by their definition, one device after the other.
private struct NaiveAudience {
    var devices: [DeviceOrdinal: RegisteredDevice] = [:]

    func members(_ filter: Audience.Filter, ids: [RegistrationID: DeviceOrdinal], at date: Date) -> [DeviceOrdinal] {
        devices.values.filter { device in
            matches(device, filter, ids) && date.timeIntervalSince(device.lastSeen) < 255 * 86_400
        }
        .map(\.id.ordinal).sorted()
    }

    private func matches(
        _ device: RegisteredDevice,
        _ filter: Audience.Filter,
        _ ids: [RegistrationID: DeviceOrdinal]
    ) -> Bool {
        let tags = Set(device.tags)
        return (filter.tags.isEmpty || filter.tags.contains { tags.contains($0) })
            && filter.tagsAnd.allSatisfy { tags.contains($0) }
            && !filter.tagsNot.contains { tags.contains($0) }
            && (filter.aliases.isEmpty || filter.aliases.contains { $0 == device.alias })
            && (filter.registrationIDs.isEmpty || filter.registrationIDs.contains { ids[$0] == device.id.ordinal })
    }
}

@Suite("Audiences of many devices", .suiteLimit)
struct AudiencePropertyTests {
    private static let tags = (0..<12).map { "tag\($0)" }
    private static let aliases = (0..<60).map { "alias\($0)" }

    private func some(_ words: [String], upTo limit: Int, using generator: inout SplitMix) -> [String] {
        (0..<Int.random(in: 0...limit, using: &generator)).compactMap { _ in words.randomElement(using: &generator) }
    }

    @Test(
        "Every combination finds whom its definition names, whatever was added, removed and added again",
        arguments: 1...rounds(2, release: 6)
    )
    func algebra(_ seed: UInt64) async throws {
        try await TestService.run { service in
            var generator = SplitMix(seed: seed)
            var naive = NaiveAudience()
            let now = service.clock.date
            let registry = service.core.registry
            let size: DeviceOrdinal = 700
            let all = (0..<size + 50).map { DeviceID(app: service.app.id, ordinal: $0) }
            let ids = Dictionary(uniqueKeysWithValues: all.map { (registry.registrationID(of: $0), $0.ordinal) })
            let names = ids.keys.sorted { $0.text < $1.text }
            for round in 0..<30 {
                await Task.yield()
                for _ in 0..<(round == 0 ? 600 : 80) {
                    let ordinal = DeviceOrdinal.random(in: 0..<size, using: &generator)
                    var device =
                        naive.devices[ordinal]
                        ?? RegisteredDevice(
                            id: DeviceID(app: service.app.id, ordinal: ordinal),
                            installation: "\(ordinal)",
                            secretHash: SecretHash(bytes: []),
                            token: testToken(ordinal, service.app.id),
                            environment: .production,
                            tokenRegisteredAt: now,
                            lastSeen: now
                        )
                    device.tags = Set(some(Self.tags, upTo: 5, using: &generator)).sorted()
                    device.alias = Bool.random(using: &generator) ? Self.aliases.randomElement(using: &generator) : nil
                    let isGone = Int.random(in: 0..<8, using: &generator) == 0
                    device.lastSeen = isGone ? now.addingTimeInterval(-300 * 86_400) : now
                    device.version += 1
                    naive.devices[ordinal] = device
                    registry.apply([device])
                }
                for _ in 0..<20 {
                    var filter = Audience.Filter()
                    filter.tags = some(Self.tags + ["none"], upTo: 2, using: &generator)
                    filter.tagsAnd = some(Self.tags, upTo: 2, using: &generator)
                    filter.tagsNot = some(Self.tags + ["none"], upTo: 2, using: &generator)
                    filter.aliases = some(Self.aliases + ["nobody"], upTo: 20, using: &generator)
                    if Bool.random(using: &generator) {
                        filter.registrationIDs = (0..<300).compactMap { _ in names.randomElement(using: &generator) }
                    }
                    let found = registry.resolve(.filter(filter), of: service.app.id, environment: .production, at: now)
                    #expect(found.reachable == naive.members(filter, ids: ids, at: now), "seed \(seed), round \(round)")
                    let counts = registry.counts(.filter(filter), of: service.app.id, at: now)
                    #expect(counts.production == found.reachable.count && counts.devices == counts.production)
                }
                let alias = try #require(Self.aliases.randomElement(using: &generator))
                let holders = naive.devices.values.filter { $0.alias == alias }.map(\.id.ordinal).sorted()
                #expect(registry.devices(withAlias: alias, of: service.app.id).map(\.ordinal) == holders)
                let tag = try #require(Self.tags.randomElement(using: &generator))
                let tagged = naive.devices.values.filter { $0.tags.contains(tag) }.map(\.id.ordinal).sorted()
                #expect(registry.devices(withTag: tag, of: service.app.id) == tagged)
            }
            #expect(registry.tags(of: service.app.id) == Set(naive.devices.values.flatMap(\.tags)).sorted())
        }
    }

    /// Sets are kept in blocks of 65,536 devices, as bits from 4,096 devices on and as a list below.
    @Test(
        "Tags of none, few and nearly all among 140,000 devices, while they grow and shrink",
        arguments: 1...rounds(1, release: 2)
    )
    func blocks(_ seed: UInt64) async throws {
        try await TestService.run { service in
            var generator = SplitMix(seed: seed)
            let registry = service.core.registry
            let app = service.app.id
            let now = service.clock.date
            let size: DeviceOrdinal = 140_000
            // How many of ten thousand devices have the tag, in each round.
            let shares = [("dense", [9000, 200, 9000]), ("some", [700, 500, 0]), ("rare", [3, 0, 5])]
            for round in 0..<3 {
                await Task.yield()
                var tagged: [String: Set<DeviceOrdinal>] = [:]
                var development: Set<DeviceOrdinal> = []
                var bare: Set<DeviceOrdinal> = []
                var devices: [RegisteredDevice] = []
                for ordinal in 0..<size {
                    // The middle block keeps what it had in the first round out of every tag.
                    let isSpared = ordinal >> 16 == 1 && ordinal % 3 == 0
                    let tags = shares.filter { _, shares in
                        !isSpared && Int.random(in: 0..<10_000, using: &generator) < shares[round]
                    }.map(\.0)
                    for tag in tags { tagged[tag, default: []].insert(ordinal) }
                    if ordinal % 11 == 0 { development.insert(ordinal) }
                    if ordinal % 13 == 0 { bare.insert(ordinal) }
                    devices.append(
                        RegisteredDevice(
                            id: DeviceID(app: app, ordinal: ordinal),
                            installation: "",
                            secretHash: SecretHash(bytes: []),
                            token: ordinal % 13 == 0 ? nil : DeviceToken(bytes: [1]),
                            environment: ordinal % 11 == 0 ? .development : .production,
                            tokenRegisteredAt: now,
                            tags: tags,
                            lastSeen: now,
                            version: UInt32(round + 1)
                        )
                    )
                }
                registry.apply(devices)
                let all = Set(0..<size)
                func tag(_ name: String) -> Set<DeviceOrdinal> { tagged[name, default: []] }
                let questions: [((inout Audience.Filter) -> Void, Set<DeviceOrdinal>)] = [
                    ({ $0.tags = ["dense"] }, tag("dense")),
                    ({ $0.tags = ["rare", "some"] }, tag("rare").union(tag("some"))),
                    ({ $0.tagsAnd = ["dense", "some"] }, tag("dense").intersection(tag("some"))),
                    ({ $0.tagsAnd = ["rare", "none"] }, []),
                    ({ $0.tagsNot = ["dense"] }, all.subtracting(tag("dense"))),
                    (
                        { ($0.tags, $0.tagsNot) = (["dense"], ["some", "rare"]) },
                        tag("dense").subtracting(tag("some")).subtracting(tag("rare"))
                    ),
                ]
                for (number, (change, expected)) in questions.enumerated() {
                    var filter = Audience.Filter()
                    change(&filter)
                    let found = registry.resolve(.filter(filter), of: app, environment: .production, at: now)
                    let here = expected.subtracting(development)
                    let isRight =
                        found.reachable == here.subtracting(bare).sorted()
                        && found.withoutToken == here.intersection(bare).sorted()
                        && found.inOtherEnvironment == expected.intersection(development).sorted()
                    #expect(isRight, "seed \(seed), round \(round), question \(number)")
                }
                for (name, _) in shares {
                    let isRight = registry.devices(withTag: name, of: app) == tag(name).sorted()
                    #expect(isRight, "seed \(seed), round \(round), \(name)")
                }
            }
        }
    }

    @Test(
        "Each device of a step gets its own token and badge, whatever the step has",
        arguments: 1...rounds(2, release: 4)
    )
    func targets(_ seed: UInt64) async throws {
        try await TestService.run { service in
            var generator = SplitMix(seed: seed)
            let registry = service.core.registry
            let app = service.app.id
            var expected: [Target] = []
            // Long stretches of devices that are as usual, between some that are not.
            for ordinal in 0..<1000 as Range<DeviceOrdinal> {
                let oddity = Int.random(in: 0..<200, using: &generator)
                let token: DeviceToken? =
                    switch oddity {
                    case 0: nil
                    case 1 where seed % 2 == 0: DeviceToken(bytes: [1, 2, 3])
                    default: testToken(ordinal, app)
                    }
                let device = RegisteredDevice(
                    id: DeviceID(app: app, ordinal: ordinal),
                    installation: "",
                    secretHash: SecretHash(bytes: []),
                    token: token,
                    environment: oddity == 2 ? .production : .development,
                    tokenRegisteredAt: .distantPast,
                    badge: Int(ordinal),
                    lastSeen: service.clock.date,
                    version: 1
                )
                registry.apply([device])
                expected.append(Target(ordinal: ordinal, token: oddity == 2 ? nil : token, badge: Int(ordinal)))
            }
            for _ in 0..<300 {
                let first = Int.random(in: 0..<1000, using: &generator)
                let end = Int.random(in: first...1000, using: &generator)
                let step = Int.random(in: 1...3, using: &generator)
                let places = Array(stride(from: first, to: end, by: step))
                let ordinals = places.map { DeviceOrdinal($0) }
                let found = registry.targets(ordinals[...], of: app, environment: .development)
                let isRight = Array(found) == places.map { expected[$0] }
                #expect(isRight, "seed \(seed), \(first)..<\(end) by \(step)")
            }
        }
    }

    @Test("A device last seen 255 days ago belongs to the audience until the day ends")
    func lastDay() async throws {
        try await TestService.run { service in
            let registry = service.core.registry
            let app = service.app.id
            let day: TimeInterval = 86_400
            // Noon of a day.
            let seen = Date(timeIntervalSince1970: 20_000 * day + day / 2)
            let device = RegisteredDevice(
                id: DeviceID(app: app, ordinal: 0),
                installation: "",
                secretHash: SecretHash(bytes: []),
                token: DeviceToken(bytes: [1]),
                environment: .production,
                tokenRegisteredAt: seen,
                lastSeen: seen,
                version: 1
            )
            registry.apply([device])
            func isMeant(after days: Double) -> Bool {
                let date = seen.addingTimeInterval(days * day)
                return registry.resolve(.all, of: app, environment: .production, at: date).reachable == [0]
            }
            #expect(isMeant(after: 0))
            #expect(isMeant(after: 255.4))
            #expect(!isMeant(after: 255.6))
            // Also when the clock has been turned back.
            #expect(isMeant(after: 254))
        }
    }

    @Test("Each of 20,000 aliases leads to its device, after half of them have moved and a tenth have gone")
    func manyAliases() async throws {
        try await TestService.run { service in
            let registry = service.core.registry
            let app = service.app.id
            func set(_ alias: String?, _ ordinal: DeviceOrdinal, version: UInt32) {
                let device = RegisteredDevice(
                    id: DeviceID(app: app, ordinal: ordinal),
                    installation: "",
                    secretHash: SecretHash(bytes: []),
                    environment: .production,
                    tokenRegisteredAt: .distantPast,
                    alias: alias,
                    lastSeen: service.clock.date,
                    version: version
                )
                registry.apply([device])
            }
            let count: DeviceOrdinal = 20_000
            for ordinal in 0..<count { set("a\(ordinal)", ordinal, version: 1) }
            for ordinal in stride(from: 0, to: count, by: 2) { set("b\(ordinal)", ordinal, version: 2) }
            for ordinal in stride(from: 1, to: count, by: 10) { set(nil, ordinal, version: 3) }
            var wrong: [DeviceOrdinal] = []
            for ordinal in 0..<count {
                let old = registry.devices(withAlias: "a\(ordinal)", of: app).map(\.ordinal)
                let new = registry.devices(withAlias: "b\(ordinal)", of: app).map(\.ordinal)
                let isRight: Bool
                if ordinal % 2 == 0 {
                    isRight = old == [] && new == [ordinal]
                } else {
                    isRight = old == (ordinal % 10 == 1 ? [] : [ordinal]) && new == []
                }
                if !isRight { wrong.append(ordinal) }
            }
            #expect(wrong == [])
        }
    }
}

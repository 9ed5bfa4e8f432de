import Foundation
import PushClock
import PushModel
import TestSupport
import Testing

@testable import PushService

@Suite("Devices that others have served", .suiteLimit)
struct DeviceImporterTests {
    private func row(_ id: String?, _ token: UInt8, alias: String? = nil, tags: [String]? = nil) -> DeviceImport {
        var row = DeviceImport(
            registrationID: id.flatMap { RegistrationID($0) },
            token: DeviceToken(bytes: [UInt8](repeating: token, count: 32))
        )
        if let alias { row.alias = .set(alias) }
        row.tags = tags
        return row
    }

    private func take(_ rows: [DeviceImport], _ service: TestService) async throws -> ImportAnswer {
        try await service.core.importer.add(rows, of: service.app.id, environment: .production)
    }

    @Test("A push to an id of others reaches its device, also after a restart, and its journey is told under that id")
    func push() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            let id = try #require(RegistrationID("1a0018970a91c0c8a3f"))
            try await TestService.run(in: folder, clock: clock) { service in
                let tally = try await take([row(id.text, 1, alias: "bob", tags: ["vip"])], service)
                #expect(tally.counts == [1, 0, 0, 0])
                let found = try await service.core.devices.device(id.text, of: service.app.id)
                #expect(found.alias == "bob")
                let holders = service.core.devices.holders(ofAlias: "bob", app: service.app.id)
                #expect(holders.map(\.registrationID) == [id])
                let presence = service.core.devices.presence(of: [id.text], app: service.app.id)
                #expect(presence.first?.presence != .online, "Nobody has seen it.")
            }
            let sender = ScriptedSender()
            try await TestService.run(in: folder, clock: clock, sender: sender) { service in
                let result = try await service.push(pushBody(audience: "{\"registration_id\":[\"\(id)\"]}"))
                try await service.waitForSent(1)
                let journey = try #require(
                    try await service.core.journeys.journey(of: result.messageID, to: id, app: service.app)
                )
                #expect(journey.registrationID == id.text)
                _ = try await service.push(pushBody(audience: "{\"tag\":[\"vip\"]}"))
                try await service.waitForSent(2)
                let nobody = try await service.refusal(
                    pushBody(audience: "{\"registration_id\":[\"1a0018970a91c0c8a40\"]}")
                )
                #expect(nobody.code == 1011)
            }
        }
    }

    @Test("Imported tags are the backend's; a row beyond the app's limit is rejected, and those after it go on")
    func tags() async throws {
        try await TestService.run(settings: { $0.link.tags = TagLimits(perApp: 3, fromDevices: 1) }) { service in
            let rows = [
                row("f0", 1, tags: ["a", "b"]), row("f1", 2, tags: ["b", "c", "d"]), row("f2", 3, tags: ["c"]),
            ]
            let tally = try await take(rows, service)
            #expect(tally.counts == [2, 0, 0, 0])
            #expect(tally.rejected.map(\.index) == [1])
            #expect(tally.rejected.first?.problem.contains("has 3 different tags") == true, "\(tally.rejected)")
            let tags = service.core.registry.tags(of: service.app.id)
            #expect(tags == ["a", "b", "c"])
            #expect(service.core.registry.unkept(tags, of: service.app.id) == [])
            _ = try await take([row("f0", 1, tags: [])], service)
            #expect(service.core.registry.tags(of: service.app.id) == ["a", "b", "c"], "They are kept until deleted.")
        }
    }

    @Test("A device whose app has registered counts once, and a retired one not at all")
    func retired() async throws {
        try await TestService.run { service in
            _ = try await take([row("f0", 1), row("f1", 2)], service)
            _ = try await take([row("f0", 2)], service)
            let audience = service.core.registry.resolve(
                .all,
                of: service.app.id,
                environment: .production,
                at: service.clock.date
            )
            #expect(audience.reachable.count == 1)
            #expect(audience.withoutToken == [])
            let list = try await service.core.devices.list(
                of: service.app.id,
                tag: nil,
                alias: nil,
                after: nil,
                limit: 10
            )
            #expect(list.count == 1)
        }
    }

    @Test(
        "What a file says of a device's zone, language and versions is kept; a zone or a language that is none is not"
    )
    func facts() async throws {
        try await TestService.run { service in
            var row = row("r1", 1)
            for (zone, language, kept) in [
                ("Mars/Base", "a b !!", [nil, nil]), ("Asia/Shanghai", "zh-Hans", ["Asia/Shanghai", "zh-Hans"]),
                ("x", "", ["Asia/Shanghai", "zh-Hans"]), ("", "pt_BR", ["Asia/Shanghai", "pt-BR"]),
            ] as [(String, String, [String?])] {
                row.facts = [.zone: zone, .language: language, .appVersion: "2.1", .system: "iOS 17.2"]
                _ = try await take([row], service)
                let found = try await service.core.devices.device("r1", of: service.app.id)
                #expect([found.zone, found.language] == kept)
                #expect(found.appVersion == "2.1")
                #expect(found.system == "iOS 17.2")
            }
        }
    }

    @Test("An id of the service's own making that no device has is rejected; one of another app's is an id as any")
    func ownIDs() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice()
            let known = service.registrationID(device)
            let unknown = service.core.registry.registrationID(of: DeviceID(app: service.app.id, ordinal: 99))
            let elsewhere = service.core.registry.registrationID(of: DeviceID(app: 77, ordinal: 1))
            let tally = try await take([row(unknown.text, 1), row(known.text, 2), row(elsewhere.text, 3)], service)
            #expect(tally.rejected.map(\.index) == [0])
            #expect(tally.rejected.first?.problem.contains("that no device of the app has") == true)
            #expect(tally.counts == [1, 0, 0, 1])
            #expect(service.core.registry.device(elsewhere, of: service.app.id)?.ordinal == 1)
        }
    }

    @Test("An alias has no more devices than it may have, of the file and of those before")
    func aliases() async throws {
        try await TestService.run { service in
            let rows = (1...11).map { row($0.isMultiple(of: 2) ? "f\($0)" : nil, UInt8($0), alias: "bob") }
            let tally = try await take(rows, service)
            #expect(tally.rejected.map(\.index) == [10])
            #expect(tally.rejected.first?.problem.contains("which 10 devices have already") == true)
            let again = try await take(rows, service)
            #expect(again.rejected.map(\.index) == [10])
            #expect(again.counts == [0, 0, 10, 0])
        }
    }

    @Test("Rows that come together do what they do one after the other", arguments: 1...rounds(3, release: 20))
    func together(_ seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        let rows = (0..<60).map { _ in
            // Few tokens and ids recur, others do not.
            let number = UInt8(random.next() % 3 == 0 ? random.next() % 5 : random.next() % 200)
            let id = random.next() % 3 == 0 ? nil : "f\(random.next() % (random.next() % 2 == 0 ? 4 : 300))"
            let alias = random.next() % 3 == 0 ? nil : "alias\(random.next() % 30)"
            return row(id, number, alias: alias, tags: random.next() % 2 == 0 ? nil : ["t\(random.next() % 9)"])
        }
        func devices(_ service: TestService) async throws -> [String] {
            let ids = Set(rows.compactMap(\.registrationID))
            return try await service.core.store.devices(of: service.app.id, from: 0, limit: 1000).map { device in
                let own = ids.filter { service.core.registry.device($0, of: service.app.id) == device.id }.map(\.text)
                return "\(own.sorted()) \(device.token?.abbreviation ?? "") \(device.alias ?? "") \(device.tags)"
            }.sorted()
        }
        try await TestService.run { apart in
            try await TestService.run { together in
                var counts = [0, 0, 0, 0]
                for row in rows { counts = zip(counts, try await take([row], apart).counts).map { $0 + $1 } }
                let tally = try await take(rows, together)
                #expect(tally.counts == counts)
                #expect(try await devices(together) == (try await devices(apart)))
                let (tags, app) = ((0..<9).map { "t\($0)" }, together.app.id)
                #expect(
                    together.core.registry.unkept(tags, of: app) == apart.core.registry.unkept(tags, of: apart.app.id)
                )
            }
        }
    }

    @Test("The table of ids agrees with a dictionary through any changes")
    func table() {
        var random = SplitMix(seed: 5)
        var table = ImportedIDs()
        var model: [RegistrationID: DeviceOrdinal] = [:]
        var names: [DeviceOrdinal: RegistrationID] = [:]
        for _ in 0..<5000 {
            guard let id = RegistrationID("f" + String(random.next() % 900, radix: 36)) else { continue }
            let ordinal = DeviceOrdinal(random.next() % 700)
            let isName = random.next() % 3 > 0
            if let old = model[id], names[old] == id { names[old] = nil }
            table.set(id, to: ordinal, isName: isName)
            model[id] = ordinal
            if isName { names[ordinal] = id }
        }
        for (id, ordinal) in model { #expect(table.device(id) == ordinal) }
        for ordinal in 0..<DeviceOrdinal(710) { #expect(table.name(of: ordinal) == names[ordinal]) }
        #expect(RegistrationID("g").flatMap(table.device) == nil)
    }
}

extension ImportAnswer {
    /// The numbers of rows that were created, updated, unchanged and kept.
    fileprivate var counts: [Int] { [created, updated, unchanged, kept] }
}

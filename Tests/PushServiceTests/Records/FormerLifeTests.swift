import DeviceLink
import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

@Suite("Places under an alias of phones that were reinstalled, and of strangers", .suiteLimit)
struct FormerLifeTests {
    private static let token = DeviceToken(bytes: [UInt8](repeating: 7, count: 32))

    /// Registers a device without a link, as over HTTP.
    private func install(_ name: String, in service: TestService) async throws -> DeviceID {
        try await service.core.registrations.register(
            SDKRegistration(
                appKey: service.app.key.text,
                bundleID: service.app.bundleID,
                channel: nil,
                environment: .production,
                system: "iOS 17.0",
                installation: name
            ),
            from: nil
        ).device
    }

    private func setAlias(
        _ alias: String,
        proof: String? = nil,
        of device: DeviceID,
        in service: TestService
    )
        async throws -> Int
    {
        try await service.core.registrations.carryOut(.setAlias(alias, proof: proof), for: device).code
    }

    private func holders(_ alias: String = "bob", in service: TestService) async throws -> [DeviceOrdinal] {
        let stored = try await service.store.devices(of: service.app.id, from: 0, limit: 100).filter {
            $0.alias == alias
        }
        let known = service.core.registry.devices(withAlias: alias, of: service.app.id).map(\.ordinal)
        #expect(stored.map(\.id.ordinal) == known, "Memory and the store agree.")
        return known
    }

    @Test(
        "One phone that is reinstalled again and again with the same token has one place, whatever it says first",
        arguments: TestEngine.allCases,
        [true, false]
    )
    func sameToken(_ engine: TestEngine, _ tokenFirst: Bool) async throws {
        try await engine.run { service in
            for life in 0..<25 {
                let device = try await install("\(life)", in: service)
                func bringToken() async throws {
                    let reply = try await service.core.registrations.carryOut(
                        .token(Self.token, .production),
                        for: device
                    )
                    #expect(reply.code == 0)
                }
                if tokenFirst { try await bringToken() }
                #expect(try await setAlias("bob", of: device, in: service) == 0, "life \(life)")
                if !tokenFirst { try await bringToken() }
                #expect(try await holders(in: service) == [device.ordinal])
            }
        }
    }

    @Test("Of others, the one unseen longest makes room, and ten keep the alias", arguments: TestEngine.allCases)
    func unseenLongest(_ engine: TestEngine) async throws {
        try await engine.run { service in
            var devices: [DeviceID] = []
            for number in 0..<10 {
                devices.append(try await install("\(number)", in: service))
                await service.clock.advance(by: .seconds(60))
                #expect(try await setAlias("bob", of: devices[number], in: service) == 0)
            }
            // The first is seen again, so the second is the one.
            let (report, _) = try RegistrationBody(parsing: Array("{}".utf8)).report(stored: .production)
            _ = try await service.core.registrations.start(devices[0], report)
            let eleventh = try await install("11", in: service)
            #expect(try await setAlias("bob", of: eleventh, in: service) == 0)
            #expect(try await holders(in: service) == [0, 2, 3, 4, 5, 6, 7, 8, 9, 10])
            let loser = try #require(try await service.store.device(devices[1]))
            #expect((loser.alias, loser.isAliasProved) == (nil, false))
            #expect(try await setAlias("bob", of: eleventh, in: service) == 0, "It has it already.")
            #expect(try await holders(in: service).count == 10)
        }
    }

    @Test("A device with an open link keeps its place; if all have one, the eleventh gets 6027")
    func linked() async throws {
        try await TestService.run { service in
            var links: [TestLink] = []
            for number in 0..<9 {
                let (link, _) = try await service.enrol("\(number)")
                #expect(try await link.ask(.setAlias("bob")).code == 0)
                links.append(link)
            }
            let bare = try await install("bare", in: service)
            #expect(try await setAlias("bob", of: bare, in: service) == 0)
            let (eleventh, _) = try await service.enrol("11")
            #expect(try await eleventh.ask(.setAlias("bob")).code == 0)
            #expect(try await service.store.device(bare)?.alias == nil)
            #expect(try await setAlias("bob", of: bare, in: service) == 6027)
            #expect(try await holders(in: service).count == 10)
        }
    }

    @Test(
        "Where aliases are proved, ten devices of a stranger lock nobody out, and take no place of a device with a proof",
        arguments: TestEngine.allCases
    )
    func strangers(_ engine: TestEngine) async throws {
        try await engine.run { service in
            // With links, and from before proofs were asked for.
            for number in 0..<10 {
                let (link, _) = try await service.enrol("stranger \(number)")
                #expect(try await link.ask(.setAlias("bob")).code == 0)
            }
            let key = try await service.aliasKey()
            func proof(_ device: DeviceID) -> String {
                AliasProofs.proof(of: .alias("bob"), for: service.core.registry.registrationID(of: device), key: key)
            }
            let bob = try await install("bob", in: service)
            #expect(try await setAlias("bob", of: bob, in: service) == 6027)
            #expect(try await setAlias("bob", proof: proof(bob), of: bob, in: service) == 0)
            try await service.operate(.appSet, ["aliases": "proved"])
            // The backend gives it to another phone, and more follow with proofs.
            let second = try await install("second", in: service)
            let change = try DeviceChange(parsing: Array(#"{"alias":"bob"}"#.utf8))
            let name = service.core.registry.registrationID(of: second).text
            try await service.core.devices.change(name, of: service.app.id, change)
            for number in 0..<8 {
                let device = try await install("own \(number)", in: service)
                #expect(try await setAlias("bob", proof: proof(device), of: device, in: service) == 0)
            }
            let all = try await holders(in: service)
            #expect(all.count == 10)
            #expect(all.first == bob.ordinal, "No stranger has the alias.")
            // With anyone again, a stranger gets none of these places, though nobody has a link.
            try await service.operate(.appSet, ["aliases": "anyone"])
            let late = try await install("late", in: service)
            #expect(try await setAlias("bob", of: late, in: service) == 6027)
            #expect(try await holders(in: service) == all)
        }
    }

    @Test("Many that come at once share ten places", arguments: TestEngine.allCases)
    func concurrent(_ engine: TestEngine) async throws {
        try await engine.run { service in
            var devices: [DeviceID] = []
            for number in 0..<40 { devices.append(try await install("\(number)", in: service)) }
            for device in devices.prefix(10) { #expect(try await setAlias("bob", of: device, in: service) == 0) }
            try await withThrowingTaskGroup(of: Int.self) { group in
                for device in devices.dropFirst(10) {
                    group.addTask { try await setAlias("bob", of: device, in: service) }
                }
                for try await code in group { #expect([0, 6027].contains(code)) }
            }
            #expect(try await holders(in: service).count <= 10)
            #expect(try await !holders(in: service).isEmpty)
        }
    }

    @Test("The device that loses its token to another loses its alias, not its tags; an imported one hands it on")
    func losesToken() async throws {
        try await TestService.run { service in
            let app = service.app
            let first = try await install("1", in: service)
            for request in [SDKRequest.token(Self.token, .production), .setAlias("bob"), .addTags(["t"])] {
                #expect(try await service.core.registrations.carryOut(request, for: first).code == 0)
            }
            let second = try await install("2", in: service)
            _ = try await service.core.registrations.carryOut(.token(Self.token, .production), for: second)
            let loser = try #require(try await service.store.device(first))
            #expect((loser.alias, loser.tags, loser.token) == (nil, ["t"], nil))
            #expect(try await service.store.device(second)?.alias == nil, "The app on the phone says who it is.")
            var row = DeviceImport(token: DeviceToken(bytes: [9]))
            row.alias = .set("ann")
            _ = try await service.core.importer.add([row], of: app.id, environment: .production)
            _ = try await service.core.registrations.carryOut(.token(DeviceToken(bytes: [9]), .production), for: second)
            let heir = try #require(try await service.store.device(second))
            #expect((heir.alias, heir.isAliasProved) == ("ann", true), "A file comes from the backend.")
        }
    }
}

import DeviceLink
import Foundation
import PushClock
import PushModel
import TestSupport
import Testing

@testable import PushService

@Suite("Time zones of devices", .suiteLimit)
struct DeviceZoneTests {
    private func register(
        _ zone: String?,
        _ installation: String,
        _ service: TestService
    ) async throws -> (device: DeviceID, identity: Identity) {
        let link = TestLink(to: service)
        link.say(
            .register(
                SDKRegistration(
                    appKey: service.app.key.text,
                    bundleID: service.app.bundleID,
                    channel: nil,
                    environment: .production,
                    system: "iOS 17.0",
                    installation: installation,
                    zone: zone
                )
            )
        )
        guard case .registered(let id, let secret, let userID) = try await link.hear(),
            case .loggedIn = try await link.hear()
        else { throw CancellationError() }
        let name = try #require(RegistrationID(id))
        let device = try #require(service.core.registry.device(name, of: service.app.id))
        return (device, Identity(registrationID: id, secret: secret, userID: userID))
    }

    private func logIn(_ identity: Identity, _ zone: String?, _ service: TestService) async throws {
        let link = TestLink(to: service)
        link.say(
            .login(
                appKey: service.app.key.text,
                registrationID: identity.registrationID,
                secret: identity.secret,
                zone: zone
            )
        )
        guard case .loggedIn = try await link.hear() else { throw CancellationError() }
    }

    private func zones(_ service: TestService) -> [String?] {
        let zones = service.core.registry.zones(of: [0, 1, 2], of: service.app.id)
        return (0..<3).map { zones[$0]?.identifier }
    }

    @Test(
        "A device tells its zone when it registers and when it logs in; it outlives a restart, and a client that tells none"
    )
    func told() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            try await TestService.run(in: folder, clock: clock) { service in
                let (first, identity) = try await register("Asia/Shanghai", "a", service)
                _ = try await register(nil, "b", service)
                _ = try await register("Nowhere/AtAll", "c", service)
                #expect(zones(service) == ["Asia/Shanghai", nil, nil])
                try await logIn(identity, nil, service)
                #expect(zones(service)[0] == "Asia/Shanghai")
                try await logIn(identity, "Europe/Berlin", service)
                #expect(zones(service) == ["Europe/Berlin", nil, nil])
                #expect(service.core.registry.zonesInUse(of: service.app.id) == ["Europe/Berlin"])
                #expect(try await service.store.device(first)?.zone == "Europe/Berlin")
            }
            try await TestService.run(in: folder, clock: clock) { service in
                #expect(zones(service) == ["Europe/Berlin", nil, nil])
            }
        }
    }

    @Test("An app's quiet hours outlive a restart")
    func quietHoursOfAnApp() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            let hours = try #require(
                QuietHours(from: 79_200, to: 25_200, zone: .named("Asia/Shanghai"), allowsTimeSensitive: true)
            )
            try await TestService.run(in: folder, clock: clock) { service in
                let body = JSONValue.object(["quiet_hours": hours.json]).bytes
                let changed = try await service.core.appSettings.change(body, of: service.app)
                #expect(changed.quietHours == hours)
                #expect(service.core.registry.app(service.app.id)?.quietHours == hours)
            }
            try await TestService.run(in: folder, clock: clock) { service in
                #expect(service.app.quietHours == hours)
                let none = Array("{\"quiet_hours\":false}".utf8)
                let changed = try await service.core.appSettings.change(none, of: service.app)
                #expect(changed.quietHours == nil)
                let kept = try await service.store.apps().first
                #expect(kept?.quietHours == nil)
            }
        }
    }

    @Test("A column of zones is a list of names, and knows which are in use", arguments: 1...4)
    func column(_ seed: UInt64) {
        var generator = SplitMix(seed: seed)
        var column = ZoneColumn()
        var list = [String?](repeating: nil, count: 20_000)
        #expect(column.inUse.isEmpty)
        let names = ["Asia/Shanghai", "Europe/Berlin", "America/New_York", nil]
        for _ in 0..<400 {
            let place = Int.random(in: 0..<list.count, using: &generator)
            let zone = names.randomElement(using: &generator) ?? nil
            column.set(place, zone)
            list[place] = zone
        }
        #expect(list.indices.allSatisfy { column[$0] == list[$0] })
        #expect(Set(column.inUse) == Set(list.compactMap(\.self)))
        let ordinals = (0..<DeviceOrdinal(list.count)).filter { _ in Bool.random(using: &generator) }
        let zones = column.zones(of: ordinals[...])
        #expect(ordinals.indices.allSatisfy { zones[$0]?.identifier == list[Int(ordinals[$0])] })
        for place in list.indices { column.set(place, nil) }
        #expect(column.inUse.isEmpty)
    }
}

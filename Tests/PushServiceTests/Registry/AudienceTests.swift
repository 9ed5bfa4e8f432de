import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

@Suite("Audiences", .suiteLimit)
struct AudienceTests {
    private func filter(_ change: (inout Audience.Filter) -> Void) -> Audience {
        var filter = Audience.Filter()
        change(&filter)
        return .filter(filter)
    }

    /// Six devices: tags of 0 to 5 are "a", "b", "ab" in this way.
    private static let tags = [["a"], ["b"], ["a", "b"], [], ["a", "c"], ["c"]]

    private func withDevices(_ body: (TestService, (Audience) -> [DeviceOrdinal]) async throws -> Void) async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(6)
            for device in devices {
                let number = Int(device.id.ordinal)
                let changed = try #require(
                    try await service.store.updateDevice(device.id) { device in
                        device.tags = Self.tags[number]
                        device.alias = ["zero", "one", "shared", "shared", nil, nil][number]
                    }
                )
                service.core.registry.apply([changed])
            }
            try await body(service) { audience in
                service.core.registry.resolve(
                    audience,
                    of: service.app.id,
                    environment: .production,
                    at: service.clock.date
                ).reachable
            }
        }
    }

    @Test("Keys are sets: unions inside, intersections between, and tag_not takes away")
    func algebra() async throws {
        try await withDevices { service, resolve in
            func id(_ ordinal: DeviceOrdinal, app: App.ID? = nil) -> RegistrationID {
                service.core.registry.registrationID(of: DeviceID(app: app ?? service.app.id, ordinal: ordinal))
            }
            let table: [(Audience, [DeviceOrdinal])] = [
                (.all, [0, 1, 2, 3, 4, 5]),
                (filter { $0.tags = ["a"] }, [0, 2, 4]),
                (filter { $0.tags = ["a", "b"] }, [0, 1, 2, 4]),
                (filter { $0.tags = ["A"] }, []),
                (filter { $0.tagsAnd = ["a", "b"] }, [2]),
                (filter { $0.tagsAnd = ["a", "none"] }, []),
                (filter { $0.tagsNot = ["a"] }, [1, 3, 5]),
                (filter { $0.tagsNot = ["a", "c"] }, [1, 3]),
                (filter { $0.tagsNot = ["none"] }, [0, 1, 2, 3, 4, 5]),
                (filter { ($0.tags, $0.tagsNot) = (["a"], ["b"]) }, [0, 4]),
                (filter { ($0.tags, $0.tagsAnd) = (["b", "c"], ["a"]) }, [2, 4]),
                (filter { $0.aliases = ["shared", "zero", "nobody"] }, [0, 2, 3]),
                (filter { ($0.aliases, $0.tags) = (["shared"], ["b"]) }, [2]),
                (filter { $0.registrationIDs = [id(5), id(1), id(5)] }, [1, 5]),
                (filter { $0.registrationIDs = [id(99), id(.max), id(1, app: 2)] }, []),
                (filter { ($0.registrationIDs, $0.tagsNot) = ([id(0), id(1)], ["a"]) }, [1]),
                (filter { $0.segments = ["none"] }, []),
                (filter { ($0.segments, $0.tags) = (["none"], ["a"]) }, []),
            ]
            for (audience, expected) in table { #expect(resolve(audience) == expected, "\(audience)") }
        }
    }

    @Test("A device that changes its tags and alias is found by the new ones alone, also after a restart")
    func changes() async throws {
        try await withDevices { service, resolve in
            let changed = try #require(
                try await service.store.updateDevice(DeviceID(app: service.app.id, ordinal: 2)) { device in
                    device.tags = ["c"]
                    device.alias = "zero"
                }
            )
            service.core.registry.apply([changed])
            let again = try await Registry(store: service.store, keys: testKeys)
            for registry in [service.core.registry, again] {
                func resolve(_ audience: Audience) -> [DeviceOrdinal] {
                    registry.resolve(audience, of: service.app.id, environment: .production, at: service.clock.date)
                        .reachable
                }
                #expect(resolve(filter { $0.tags = ["a"] }) == [0, 4])
                #expect(resolve(filter { $0.tags = ["b"] }) == [1])
                #expect(resolve(filter { $0.tags = ["c"] }) == [2, 4, 5])
                #expect(resolve(filter { $0.aliases = ["shared"] }) == [3])
                #expect(resolve(filter { $0.aliases = ["zero"] }) == [0, 2])
                #expect(registry.devices(withAlias: "zero", of: service.app.id).map(\.ordinal) == [0, 2])
                #expect(registry.devices(withAlias: "nobody", of: service.app.id) == [])
            }
        }
    }

    @Test("News that comes late does not undo what is newer")
    func lateNews() async throws {
        try await TestService.run { service in
            let old = try await service.addDevice { $0.alias = "old" }
            let new = try #require(try await service.store.updateDevice(old.id) { $0.alias = "new" })
            service.core.registry.apply([new])
            service.core.registry.apply([old])
            #expect(service.core.registry.devices(withAlias: "new", of: service.app.id) == [old.id])
            #expect(service.core.registry.devices(withAlias: "old", of: service.app.id) == [])
        }
    }

    @Test("Is split into who can be reached, who is in the other environment and who has no token")
    func environments() async throws {
        try await TestService.run { service in
            try await service.addDevices(2)
            try await service.addDevices(2, environment: .development)
            try await service.addDevice { $0.token = nil }
            try await service.addDevice(environment: .development) { $0.token = nil }
            try await service.addDevice { $0.token = DeviceToken(bytes: [UInt8](repeating: 1, count: 100)) }
            func resolve(_ environment: APNSEnvironment) -> Resolution {
                let date = service.clock.date
                return service.core.registry.resolve(.all, of: service.app.id, environment: environment, at: date)
            }
            let production = resolve(.production)
            #expect(production.reachable == [0, 1, 6])
            #expect(production.inOtherEnvironment == [2, 3, 5])
            #expect(production.withoutToken == [4])
            let development = resolve(.development)
            #expect(development.reachable == [2, 3])
            #expect(development.inOtherEnvironment == [0, 1, 4, 6])
            #expect(development.withoutToken == [5])
            let targets = service.core.registry.targets([0, 2, 4, 6], of: service.app.id, environment: .production)
            let long = DeviceToken(bytes: [UInt8](repeating: 1, count: 100))
            #expect(targets.map(\.token) == [testToken(0, service.app.id), nil, nil, long])
        }
    }

    @Test("A device counts as gone after 255 days unseen", arguments: [(255, true), (256, false)])
    func inactive(_ days: Double, _ counts: Bool) async throws {
        try await TestService.run { service in
            let now = service.clock.date
            try await service.addDevice { $0.lastSeen = now.addingTimeInterval(-days * 86_400) }
            let resolution = service.core.registry.resolve(.all, of: service.app.id, environment: .production, at: now)
            #expect(resolution.isEmpty != counts)
        }
    }

    @Test("Apps do not see each other's devices")
    func apps() async throws {
        try await TestService.run { service in
            let other = try await service.addApp()
            try await service.addDevices(2, { $0.tags = ["t"] })
            let theirs = try await service.addDevice(app: other) { $0.tags = ["t"] }
            let registry = service.core.registry
            let date = service.clock.date
            let audience = filter { $0.tags = ["t"] }
            #expect(registry.resolve(audience, of: other.id, environment: .production, at: date).reachable == [0])
            #expect(registry.resolve(.all, of: 77, environment: .production, at: date).isEmpty)
            #expect(registry.device(registry.registrationID(of: theirs.id), of: service.app.id) == nil)
            #expect(registry.device(registry.registrationID(of: theirs.id), of: other.id) == theirs.id)
        }
    }
}

import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

/// Failures of others' systems when devices come, go and change their tokens.
@Suite("Known failures of other systems: devices and their tokens", .suiteLimit)
struct RegistryFailureTests {
    private func setToken(_ token: DeviceToken, of device: RegisteredDevice, in service: TestService) async throws {
        let now = service.clock.date
        service.core.registry.apply(try await service.store.setToken(token, .production, of: device.id, at: now))
    }

    private func reachable(_ service: TestService, _ audience: Audience = .all) -> [DeviceOrdinal] {
        service.core.registry.resolve(
            audience,
            of: service.app.id,
            environment: .production,
            at: service.clock.date
        ).reachable
    }

    private func alias(_ alias: String) -> Audience {
        var filter = Audience.Filter()
        filter.aliases = [alias]
        return .filter(filter)
    }

    @Test("openradar24203195: a re-installed app is a device of its own; the old token's 410 costs the new one nothing")
    func openradar24203195_reinstalledApp() async throws {
        try await TestService.run { service in
            let old = try await service.addDevice { $0.alias = "bob" }
            await service.clock.advance(by: .seconds(3600))
            let new = try await service.addDevice { $0.alias = "bob" }
            #expect(new.id != old.id)
            let gone = try #require(old.token)
            service.sender.answer { push in
                SendOutcome(push.token == gone ? .refused(.unregistered, unregisteredAt: nil) : .sent)
            }
            _ = try await service.push(pushBody(audience: "{\"alias\":[\"bob\"]}"))
            try await service.waitForSent(1)
            try await service.waitFor(1) { $0 == .refused(.unregistered) }
            #expect(try await service.store.device(old.id)?.token == nil)
            #expect(try await service.store.device(new.id)?.token == new.token)
            #expect(reachable(service, alias("bob")) == [new.id.ordinal])
        }
    }

    @Test("A token that moves to another device leaves the one before it, so nobody gets a push twice")
    func tokenMoves() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(2)
            let token = try #require(devices[0].token)
            try await setToken(token, of: devices[1], in: service)
            #expect(reachable(service) == [1])
            _ = try await service.push(pushBody())
            try await service.waitForSent(1)
            #expect(service.sender.sent.elements.map(\.push.token) == [token])
            // And back.
            try await setToken(token, of: devices[0], in: service)
            #expect(reachable(service) == [0])
            let again = try await Registry(store: service.store, keys: testKeys)
            let resolution = again.resolve(.all, of: service.app.id, environment: .production, at: service.clock.date)
            #expect(resolution.reachable == [0])
            #expect(resolution.withoutToken == [1])
        }
    }

    @Test("Two devices that bring one token at the same time end with one owner, in memory as on disk")
    func twoDevicesOneToken() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(8)
            let token = DeviceToken(bytes: [UInt8](repeating: 0xAB, count: 32))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for device in devices { group.addTask { try await setToken(token, of: device, in: service) } }
                try await group.waitForAll()
            }
            let owners = try await service.store.allDevices().filter { $0.token == token }.map(\.id.ordinal)
            #expect(owners.count == 1)
            #expect(reachable(service) == owners)
        }
    }

    @Test("jpush7015: an alias has ten devices at most, also when twenty ask at the same time")
    func jpush7015_aliasOnManyDevices() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(20)
            let app = service.app.id
            let book = service.core.devices
            let bind = try DeviceChange(parsing: Array("{\"alias\":\"family\"}".utf8))
            let refused = Recorder<Int>()
            await withTaskGroup(of: Void.self) { group in
                for device in devices {
                    group.addTask {
                        do { try await book.change(service.registrationID(device).text, of: app, bind) } catch {
                            refused.add((error as? JPushError)?.code ?? 0)
                        }
                    }
                }
            }
            #expect(refused.elements == Array(repeating: 7015, count: 10))
            #expect(reachable(service, alias("family")).count == 10)
            #expect(book.holders(ofAlias: "family", app: app).count == 10)
            // One that has it may say so again; one that leaves makes room.
            let holder = try #require(book.holders(ofAlias: "family", app: app).first).registrationID.text
            try await book.change(holder, of: app, bind)
            try await book.change(holder, of: app, try DeviceChange(parsing: Array("{\"alias\":\"\"}".utf8)))
            let outside = try #require(
                devices.first { !reachable(service, alias("family")).contains($0.id.ordinal) }
            )
            try await book.change(service.registrationID(outside).text, of: app, bind)
            #expect(reachable(service, alias("family")).count == 10)
        }
    }

    @Test("Devices that count as gone take no place under an alias")
    func goneDevicesLeaveTheirAlias() async throws {
        try await TestService.run { service in
            try await service.addDevices(10) { $0.alias = "family" }
            let app = service.app.id
            let book = service.core.devices
            let bind = try DeviceChange(parsing: Array("{\"alias\":\"family\"}".utf8))
            await service.clock.advance(by: .seconds(255 * 86_400))
            let new = service.registrationID(try await service.addDevice()).text
            let error = await #expect(throws: JPushError.self) { try await book.change(new, of: app, bind) }
            #expect(error?.code == 7015)
            await service.clock.advance(by: .seconds(86_400))
            try await book.change(new, of: app, bind)
            #expect(book.holders(ofAlias: "family", app: app).map(\.registrationID.text) == [new])
            try await book.deleteAlias("family", of: app, platforms: [.ios])
            #expect(service.core.registry.devices(withAlias: "family", of: app) == [])
        }
    }

    @Test("A device that is not seen for 255 days is nobody's audience, and is back when it is seen again")
    func inactive255Days() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice { $0.alias = "bob" }
            await service.clock.advance(by: .seconds(255 * 86_400))
            #expect(reachable(service) == [0])
            await service.clock.advance(by: .seconds(86_400))
            #expect(reachable(service) == [])
            #expect(try await service.refusal(pushBody()).code == 1011)
            let now = service.clock.date
            let seen = try await service.store.updateDevices([device.id.ordinal], of: service.app.id, keepingTags: []) {
                $0.lastSeen = now
            }
            service.core.registry.apply(seen)
            #expect(reachable(service, alias("bob")) == [0])
        }
    }
}

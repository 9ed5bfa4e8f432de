import Foundation
import PushClock
import PushModel
import PushService
import PushStoreSQLite
import TestSupport
import Testing

@Suite("Devices, tags and aliases as a backend changes them", .suiteLimit)
struct DeviceControllerTests {
    private func change(_ body: String) throws -> DeviceChange { try DeviceChange(parsing: Array(body.utf8)) }

    private func members(add: [String] = [], remove: [String] = []) throws -> MembershipChange {
        let json: JSONValue = [
            "registration_ids": [
                "add": .array(add.map { .string($0) }), "remove": .array(remove.map { .string($0) }),
            ]
        ]
        return try MembershipChange(ofTag: json.bytes)
    }

    /// The code of the refusal; nil if there is none.
    private func code(_ body: () async throws -> Void) async throws -> Int? {
        do { try await body() } catch let error as JPushError { return error.code }
        return nil
    }

    @Test("A change is there at once, on disk and for audiences; what is not named stays")
    func changes() async throws {
        try await TestService.run { service in
            let device = try await service.addDevice { $0.badge = 3 }
            let id = service.registrationID(device).text
            let app = service.app.id
            let body = "{\"tags\":{\"add\":[\"b\",\"a\"]},\"alias\":\"bob\",\"mobile\":\"13012345678\"}"
            try await service.core.devices.change(id, of: app, try change(body))
            var now = try await service.core.devices.device(id, of: app)
            #expect(now.tags == ["a", "b"])
            #expect(now.alias == "bob")
            #expect(now.mobile == "13012345678")
            #expect(now.badge == 3)
            #expect(service.core.registry.has(device.id, tag: "a"))
            #expect(service.core.registry.devices(withAlias: "bob", of: app) == [device.id])
            try await service.core.devices.change(id, of: app, try change("{\"tags\":{\"remove\":[\"a\"]}}"))
            now = try await service.core.devices.device(id, of: app)
            #expect(now.tags == ["b"])
            #expect(now.alias == "bob")
            try await service.core.devices.change(
                id,
                of: app,
                try change("{\"tags\":\"\",\"alias\":\"\",\"mobile\":\"\"}")
            )
            now = try await service.core.devices.device(id, of: app)
            #expect(now.tags == [])
            #expect(now.alias == nil)
            #expect(now.mobile == nil)
            #expect(!service.core.registry.has(device.id, tag: "b"))
            #expect(service.core.registry.devices(withAlias: "bob", of: app) == [])
        }
    }

    @Test("bitchat214_namesThatLookTheSameAreTwo")
    func exactNames() async throws {
        let rare = "\u{F914}"
        let usual = "\u{6A02}"
        func octets(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }
        try await TestService.run { service in
            let devices = service.core.devices
            let device = try await service.addDevice { $0.tags = [rare] }
            let id = service.registrationID(device).text
            let app = service.app.id
            try await devices.change(tag: usual, of: app, try members(add: [id]))
            #expect(octets(try await devices.device(id, of: app).tags) == octets([usual, rare]))
            #expect(octets(devices.tags(of: app)) == octets([usual, rare]))
            try await devices.change(tag: rare, of: app, try members(remove: [id]))
            #expect(octets(try await devices.device(id, of: app).tags) == octets([usual]))
            try await devices.change(id, of: app, try change("{\"alias\":\"\(rare)\"}"))
            try await devices.change(id, of: app, try change("{\"alias\":\"\(usual)\"}"))
            #expect(devices.holders(ofAlias: rare, app: app).isEmpty)
            #expect(devices.holders(ofAlias: usual, app: app).count == 1)
            try await devices.deleteAlias(rare, of: app, platforms: [.ios])
            #expect(devices.holders(ofAlias: usual, app: app).count == 1)
            // Ten devices for each of them.
            for number in 0..<JPushLimits.devicesPerAlias {
                let other = try await service.addDevice { _ in }
                let name = service.registrationID(other).text
                try await devices.change(name, of: app, try change("{\"alias\":\"\(rare)\"}"))
                #expect(devices.holders(ofAlias: rare, app: app).count == number + 1)
            }
            #expect(
                try await code { try await devices.change(id, of: app, try change("{\"alias\":\"\(rare)\"}")) } == 7015
            )
            try await devices.deleteTag(rare, of: app, platforms: [.ios])
            #expect(service.core.registry.has(device.id, tag: usual))
        }
    }

    @Test("A tag that a call has made is known without a device until it is deleted, also after a restart")
    func keptTags() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(2)
            let ids = devices.map { service.registrationID($0).text }
            let app = service.app.id
            let book = service.core.devices
            func tags() async throws -> [String] {
                let again = try await Registry(store: service.store, keys: testKeys)
                #expect(again.tags(of: app) == book.tags(of: app))
                return book.tags(of: app)
            }
            try await book.change(ids[0], of: app, try change("{\"tags\":{\"add\":[\"b\"]}}"))
            try await book.change(tag: "a", of: app, try members(add: ids))
            #expect(try await tags() == ["a", "b"])
            try await book.change(ids[0], of: app, try change("{\"tags\":\"\"}"))
            try await book.change(tag: "a", of: app, try members(remove: ids))
            try await book.change(tag: "never", of: app, try members(remove: ids))
            #expect(try await tags() == ["a", "b"])
            #expect(service.core.registry.devices(withTag: "a", of: app) == [])
            try await book.deleteTag("b", of: app, platforms: [.android])
            #expect(try await tags() == ["a", "b"])
            try await book.deleteTag("b", of: app, platforms: [.ios])
            try await book.deleteTag("unknown", of: app, platforms: [.ios])
            #expect(try await tags() == ["a"])
            // One that the SDK brought lives as long as a device has it.
            let changed = try await service.store.updateDevice(devices[1].id) { $0.tags = ["sdk"] }
            service.core.registry.apply([try #require(changed)])
            #expect(try await tags() == ["a", "sdk"])
            let without = try await service.store.updateDevice(devices[1].id) { $0.tags = [] }
            service.core.registry.apply([try #require(without)])
            #expect(try await tags() == ["a"])
        }
    }

    @Test("A tag goes to many devices in one call; whoever is in both lists has it; the list of tags ends at 100")
    func membership() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(1000) { $0.tags = ["z"] }
            let ids = devices.map { service.registrationID($0).text }
            let app = service.app.id
            let book = service.core.devices
            try await book.change(
                tag: "中",
                of: app,
                try members(add: Array(ids[0..<900]), remove: Array(ids[899..<1000]))
            )
            #expect(service.core.registry.devices(withTag: "中", of: app) == (0..<900).map { DeviceOrdinal($0) })
            #expect(try book.has(ids[899], tag: "中", of: app))
            #expect(try !book.has(ids[900], tag: "中", of: app))
            #expect(try !book.has(ids[0], tag: "unknown", of: app))
            #expect(try await service.store.device(devices[0].id)?.tags == ["z", "中"])
            let versions = try await service.store.device(devices[950].id)?.version
            #expect(versions == devices[950].version, "Who has what is asked for costs no write.")
            let many = (0..<100).map { "\"t\($0)\"" }.joined(separator: ",")
            try await book.change(ids[0], of: app, try change("{\"tags\":{\"add\":[\(many)]}}"))
            #expect(book.tags(of: app).count == 100)
            // More devices than one transaction takes.
            try await service.addDevices(1500) { $0.tags = ["z"] }
            try await book.deleteTag("z", of: app, platforms: Set(Platform.allCases))
            #expect(service.core.registry.devices(withTag: "z", of: app) == [])
            let left = try await service.store.allDevices().filter { $0.tags.contains("z") }
            #expect(left == [])
        }
    }

    @Test("Registration ids that are not the app's: 7013 beside good ones, 7002 alone, and nothing has changed")
    func illegal() async throws {
        try await TestService.run { service in
            let other = try await service.addApp()
            let device = try await service.addDevice { $0.alias = "bob" }
            let mine = service.registrationID(device).text
            let theirs = service.registrationID(try await service.addDevice(app: other)).text
            let app = service.app.id
            let book = service.core.devices
            func error(_ change: MembershipChange, _ alias: Bool = false) async throws -> JPushError {
                try await #require(throws: JPushError.self) {
                    if alias {
                        try await book.change(alias: "bob", of: app, change)
                    } else {
                        try await book.change(tag: "t", of: app, change)
                    }
                }
            }
            let mixed = try await error(try members(add: [theirs, mine], remove: ["x y", "0123"]))
            #expect(mixed.code == 7013)
            #expect(Set(mixed.illegalRegistrationIDs) == [theirs, "x y", "0123"])
            #expect(try await error(try members(add: [theirs])).code == 7002)
            #expect(try await error(try members(remove: [mine, theirs]), true).illegalRegistrationIDs == [theirs])
            #expect(book.tags(of: app) == [])
            #expect(try await book.device(mine, of: app).alias == "bob")
            #expect(try await code { _ = try await book.device(theirs, of: app) } == 7002)
            #expect(try await code { _ = try book.has("nobody", tag: "t", of: app) } == 7002)
            #expect(try await code { try await book.change(theirs, of: app, try change("{}")) } == 7002)
            #expect(try await code { try await book.change(tag: "a b", of: app, try members(add: [mine])) } == 7002)
        }
    }

    @Test("A device that would have more than 1000 tags refuses a tag for all who were to have it")
    func tooManyTags() async throws {
        try await TestService.run { service in
            let full = try await service.addDevice { $0.tags = (0..<1000).map { "t\($0)" } }
            let free = try await service.addDevice()
            let ids = [free, full].map { service.registrationID($0).text }
            let app = service.app.id
            #expect(
                try await code { try await service.core.devices.change(tag: "x", of: app, try members(add: ids)) }
                    == 7002
            )
            #expect(try await service.store.device(free.id)?.tags == [])
            #expect(service.core.devices.tags(of: app).count == 100)
            #expect(!service.core.registry.tags(of: app).contains("x"))
        }
    }

    @Test("An alias is taken from some devices, or from all; others keep theirs")
    func aliases() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(4)
            let ids = devices.map { service.registrationID($0).text }
            let app = service.app.id
            let book = service.core.devices
            for (id, alias) in zip(ids, ["bob", "bob", "bob", "eve"]) {
                try await book.change(id, of: app, try change("{\"alias\":\"\(alias)\"}"))
            }
            func holders(_ alias: String) -> [String] {
                book.holders(ofAlias: alias, app: app).map(\.registrationID.text)
            }
            #expect(holders("bob") == Array(ids[..<3]))
            try await book.change(alias: "bob", of: app, try members(remove: [ids[1], ids[3]]))
            #expect(holders("bob") == [ids[0], ids[2]])
            #expect(holders("eve") == [ids[3]])
            try await book.deleteAlias("bob", of: app, platforms: [.android, .winphone])
            #expect(holders("bob").count == 2)
            try await book.deleteAlias("bob", of: app, platforms: [.android, .ios])
            try await book.deleteAlias("nobody", of: app, platforms: [.ios])
            #expect(holders("bob") == [])
            #expect(try await book.device(ids[0], of: app).alias == nil)
            #expect(try await book.device(ids[3], of: app).alias == "eve")
        }
    }

    @Test("A device without a link has the time when it was seen; one seen within ten minutes is online")
    func presence() async throws {
        try await TestService.run { service in
            let start = service.clock.date
            let device = try await service.addDevice()
            let id = service.registrationID(device).text
            func presence() -> [Presence] {
                service.core.devices.presence(of: [id, "nobody", "x y"], app: service.app.id).map(\.presence)
            }
            #expect(presence() == [.online])
            await service.clock.advance(by: .seconds(600))
            #expect(presence() == [.online])
            await service.clock.advance(by: .seconds(1))
            guard case .offline(let seen)? = presence().first else {
                Issue.record("The device is online after ten minutes of silence.")
                return
            }
            #expect(abs(seen.timeIntervalSince(start)) < 1)
        }
    }
}

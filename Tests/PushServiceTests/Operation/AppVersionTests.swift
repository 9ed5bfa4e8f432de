import DeviceLink
import Foundation
import PushClock
import PushModel
import TestSupport
import Testing

@testable import PushService

@Suite("Versions of an app on its devices", .suiteLimit)
struct AppVersionTests {
    private func registration(_ version: String?, _ service: TestService) -> SDKRegistration {
        SDKRegistration(
            appKey: service.app.key.text,
            bundleID: service.app.bundleID,
            channel: nil,
            environment: .production,
            system: "iOS 17.0",
            installation: "an-installation",
            appVersion: version
        )
    }

    private func version(_ service: TestService) -> String? {
        let versions = service.core.registry.appVersions(of: [0], of: service.app.id)
        return versions.names[versions.number(at: 0)]
    }

    @Test(
        "A device tells the version when it registers and when it logs in; it outlives a restart, and a client that tells none"
    )
    func told() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            try await TestService.run(in: folder, clock: clock) { service in
                let link = TestLink(to: service)
                link.say(.register(registration("1.0", service)))
                guard case .registered(let id, let secret, _) = try await link.hear(),
                    case .loggedIn = try await link.hear()
                else { throw CancellationError() }
                #expect(version(service) == "1.0")
                for (sent, kept) in [(nil, "1.0"), ("2.0", "2.0")] as [(String?, String)] {
                    let again = TestLink(to: service)
                    let key = service.app.key.text
                    again.say(.login(appKey: key, registrationID: id, secret: secret, appVersion: sent))
                    guard case .loggedIn = try await again.hear() else { throw CancellationError() }
                    #expect(version(service) == kept)
                }
            }
            try await TestService.run(in: folder, clock: clock) { service in
                #expect(version(service) == "2.0")
            }
        }
    }

    @Test("A version that is too long is refused with its length")
    func tooLong() async throws {
        try await TestService.run { service in
            let link = TestLink(to: service)
            link.say(.register(registration(String(repeating: "1", count: 257), service)))
            guard case .refused(6017, let message) = try await link.hear() else { throw CancellationError() }
            #expect(message == "The app version has 257 bytes; expected at most 256.")
        }
    }

    @Test("A report counts the devices of notifications by the version that they have now")
    func report() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(5).map(\.id)
            for (device, version) in zip(devices, ["2.0", "2.0", "1.0", "2.0"]) {
                let changed = try await service.store.updateDevice(device, note: nil) { $0.appVersion = version }
                service.core.registry.apply([try #require(changed)])
            }
            let results = [try await service.push(pushBody()), try await service.push(pushBody())]
            try await service.waitForSent(10)
            try await eventually("no chunk is due") { try await service.store.nextDue() == nil }
            let receipts: [(device: Int, bits: ReceiptBits)] = [
                (0, [.received, .displayed, .clicked]), (1, [.received]), (2, [.received, .displayed]), (4, [.clicked]),
            ]
            for (device, bits) in receipts {
                let message = [results[0].messageID: bits]
                try await service.store.record(message, inApp: [:], of: devices[device], at: service.clock.date)
            }
            let reports = service.core.reports
            let ids = results.map(\.messageID)
            #expect(
                try await reports.appVersions(of: ids, app: service.app.id) == [
                    NamedCounts(
                        name: "2.0",
                        counts: DeliveryCounts(target: 6, sent: 6, received: 2, displayed: 1, clicked: 1)
                    ),
                    NamedCounts(name: nil, counts: DeliveryCounts(target: 2, sent: 2, clicked: 1)),
                    NamedCounts(
                        name: "1.0",
                        counts: DeliveryCounts(target: 2, sent: 2, received: 1, displayed: 1)
                    ),
                ]
            )
            #expect(try await reports.appVersions(of: ids, app: service.app.id + 1).isEmpty)
            #expect(try await reports.appVersions(of: [MessageID(1)], app: service.app.id).isEmpty)
        }
    }

    @Test("A device that tells one version after the other takes no place of others, nor one that changes its zone")
    func oneAfterTheOther() {
        var versions = NameColumn()
        var zones = ZoneColumn()
        for number in 0..<70_000 {
            versions.set(0, "1.\(number)")
            zones.set(0, number.isMultiple(of: 2) ? "Asia/Tokyo" : "Europe/Berlin")
        }
        versions.set(1, "2.0")
        zones.set(1, "Asia/Tokyo")
        #expect(versions.inUse.sorted() == ["1.69999", "2.0"] && versions.names.all.count < 4)
        #expect(versions[0] == "1.69999" && versions[1] == "2.0")
        let found = zones.zones(of: [0, 1])
        #expect([found[0]?.identifier, found[1]?.identifier] == ["Europe/Berlin", "Asia/Tokyo"])
        versions.set(0, nil)
        #expect(versions[0] == nil && versions.inUse == ["2.0"])
    }

    @Test("A push of a batch counts alone, with its own receipts")
    func batch() async throws {
        try await TestService.run { service in
            let devices = try await service.addDevices(3) { $0.appVersion = "3.\($0.id.ordinal)" }.map(\.id)
            let entries = devices.map { device in
                let id = service.core.registry.registrationID(of: device).text
                let cid = service.app.key.makeCID()
                return "\"\(cid)\":{\"platform\":\"all\",\"target\":\"\(id)\",\"notification\":{\"alert\":\"hi\"}}"
            }
            let body = "{\"pushlist\":{\(entries.joined(separator: ","))}}"
            let batch = try PushBatch(parsing: Array(body.utf8), to: .registrationID)
            let accepted = try await service.core.acceptor.accept(batch, for: service.app)
            let results = try accepted.map { try $0.get().messageID }
            try await service.waitForSent(3)
            try await eventually("no chunk is due") { try await service.store.nextDue() == nil }
            let receipts: [MessageID: ReceiptBits] = [results[1]: [.received]]
            try await service.store.record(receipts, inApp: [:], of: devices[1], at: service.clock.date)
            #expect(
                try await service.core.reports.appVersions(of: Array(results.dropFirst()), app: service.app.id) == [
                    NamedCounts(name: "3.1", counts: DeliveryCounts(target: 1, sent: 1, received: 1)),
                    NamedCounts(name: "3.2", counts: DeliveryCounts(target: 1, sent: 1)),
                ]
            )
        }
    }
}

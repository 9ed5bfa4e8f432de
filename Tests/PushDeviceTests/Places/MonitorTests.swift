import CoreLocation
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit

@Suite("CLMonitor and live updates")
@MainActor
struct MonitorTests {
    private static let office = CLMonitor.CircularGeographicCondition(center: .init(ServiceStage.office), radius: 100)

    @Test("A monitor tells each change of a state, and a wrong assumption")
    func circle() async throws {
        let stage = await ServiceStage()
        let monitor = try #require(await stage.phone.device.inside(stage.app.bundleID) { await CLMonitor("work") })
        await monitor.add(Self.office, identifier: "office", assuming: .satisfied)
        #expect(await monitor.identifiers == ["office"])
        var events = await monitor.events.makeAsyncIterator()
        let first = try #require(try await events.next())
        #expect(first.state == .unsatisfied && first.identifier == "office")
        await stage.phone.perform { $0.move(to: ServiceStage.office) }
        let state1 = try await events.next()?.state
        #expect(state1 == .satisfied)
        let record = try #require(await monitor.record(for: "office"))
        #expect(record.lastEvent.state == .satisfied && record.lastEvent.date == stage.phone.clock.date)
        #expect((record.condition as? CLMonitor.CircularGeographicCondition)?.radius == 100)
        await monitor.remove("office")
        #expect(await monitor.record(for: "office") == nil)
        #expect(stage.phone.device.conditions(ofMonitor: "work", in: stage.app.bundleID).isEmpty)
    }

    @Test("A beacon is a condition too; the 21st condition is not monitored")
    func beacons() async throws {
        let stage = await ServiceStage()
        let uuid = UUID()
        let monitor = try #require(await stage.phone.device.inside(stage.app.bundleID) { await CLMonitor("shop") })
        var events = await monitor.events.makeAsyncIterator()
        await monitor.add(CLMonitor.BeaconIdentityCondition(uuid: uuid, major: 7), identifier: "door")
        let state2 = try await events.next()?.state
        #expect(state2 == .unsatisfied)
        await stage.phone.perform { $0.setBeacons([NearbyBeacon(uuid: uuid, major: 7, minor: 1, distance: 3)]) }
        let state3 = try await events.next()?.state
        #expect(state3 == .satisfied)
        for number in 2...20 { await monitor.add(Self.office, identifier: "\(number)", assuming: .unsatisfied) }
        await monitor.add(Self.office, identifier: "21")
        let last = try #require(try await events.next())
        #expect(last.identifier == "21" && last.state == .unmonitored && last.conditionLimitExceeded)
    }

    @Test("Conditions can be encoded")
    func encoded() throws {
        let circle = CLMonitor.CircularGeographicCondition(
            center: CLLocationCoordinate2D(latitude: 1, longitude: 2),
            radius: 3
        )
        let copy = try JSONDecoder().decode(type(of: circle), from: try JSONEncoder().encode(circle))
        #expect(copy.center.latitude == 1 && copy.center.longitude == 2 && copy.radius == 3)
        let beacon = CLMonitor.BeaconIdentityCondition(uuid: UUID(), major: 4)
        let other = try JSONDecoder().decode(type(of: beacon), from: try JSONEncoder().encode(beacon))
        #expect(other.uuid == beacon.uuid && other.major == 4 && other.minor == nil)
    }

    @Test("A condition launches the app, whose monitor of the same name has the event")
    func launch() async throws {
        let stage = await ServiceStage()
        let monitor = try #require(await stage.phone.device.inside(stage.app.bundleID) { await CLMonitor("work") })
        await monitor.add(Self.office, identifier: "office", assuming: .unsatisfied)
        await stage.phone.terminate(stage.app)
        await stage.phone.perform { $0.move(to: ServiceStage.office) }
        #expect(stage.delegate?.launchedForLocation == true)
        let again = try #require(await stage.phone.device.inside(stage.app.bundleID) { await CLMonitor("work") })
        #expect(await again.identifiers == ["office"])
        var events = await again.events.makeAsyncIterator()
        let state4 = try await events.next()?.state
        #expect(state4 == .satisfied)
    }

    @Test("Live updates are the locations, and the reason why there is none")
    func live() async throws {
        let stage = await ServiceStage()
        let updates = try #require(
            await stage.phone.device.inside(stage.app.bundleID) { CLLocationUpdate.liveUpdates() }
        )
        var iterator = updates.makeAsyncIterator()
        let here = try await iterator.next()?.location
        #expect(here?.coordinate.latitude == 52.5)
        await stage.phone.perform { $0.move(to: ServiceStage.office) }
        let there = try await iterator.next()?.location
        #expect(there?.coordinate.latitude == 52.51)
        await stage.phone.setLocationAccess(of: stage.app, to: .denied)
        let denied = try #require(try await iterator.next())
        #expect(denied.location == nil && denied.authorizationDenied && !denied.authorizationDeniedGlobally)
    }
}

import ActivityKit
import PosthornTesting
import PushDevice
import PushModel
import SourceCompatibility5
import Synchronization
import TestSupport
import Testing
import UIKit

@Suite("Sources with Live Activities, driven")
@MainActor
struct ActivityDrivenTests {
    private let app = InstalledApp(bundleID: "com.example.activities", info: ["NSSupportsLiveActivities": true])

    private func phone(_ system: String) async -> TestPhone {
        let phone = TestPhone(system: system)
        phone.install(app) { CurrentApp() }
        await phone.open(app)
        return phone
    }

    private final class Backend: RideBackend {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }

        func register(ride: String, token: String) async { lines.withLock { $0.append("ride \(token.count)") } }
        func registerStart(token: String) async { lines.withLock { $0.append("start \(token.count)") } }
    }

    @Test("A ride in Swift 6: from the search to the arrival")
    func ride() async throws {
        let phone = await phone("18.0")
        let backend = Backend()
        let controller = RideActivityController(backend: backend)
        let pickup = phone.clock.date.addingTimeInterval(300)
        await phone.device.inside(app.bundleID) { controller.observe() }
        try await eventually("the token for starts is registered") { backend.all == ["start 64"] }
        let id = try await phone.device.inside(app.bundleID) {
            try controller.start(ride: UUID(), to: "Harbour", pickup: pickup)
        }
        let ride = try #require(id ?? nil)
        try await eventually("both tokens are registered") { Set(backend.all) == ["ride 64", "start 64"] }
        try await eventually("the controller follows the ride") { controller.phase == .searching }
        await phone.device.inside(app.bundleID) { await controller.assign(.init(name: "Ann", plate: "B-77"), to: ride) }
        try await eventually("the ride's phase is known") { controller.phase == .approaching }
        let seconds = pickup.timeIntervalSinceReferenceDate
        let state: JSONValue = ["phase": "riding", "pickup": .double(seconds)]
        await phone.push(liveActivity: .update(state), to: ride, of: app)
        try await eventually("the push has changed the phase") { controller.phase == .riding }
        await phone.device.inside(app.bundleID) { await controller.finishAll() }
        try await eventually("the end is known") { controller.hasEnded && controller.phase == .arrived }
        #expect(phone.activities.first?.state == .ended)
    }

    @Test("A pizza in Swift 5, with the interface of iOS 16.1")
    func pizza() async throws {
        let phone = await phone("16.2")
        let manager = PizzaOrderManager()
        let now = phone.clock.date
        await phone.device.inside(app.bundleID) { manager.startDeliveryPizza(at: now) }
        try await eventually("the token has arrived") { manager.tokens.first?.count == 64 }
        #expect(manager.isShowing && manager.lastError == nil)
        await phone.device.inside(app.bundleID) { manager.updateDeliveryPizza(driver: "Anne Johnson") }
        try await eventually("the driver is shown") { manager.driver == "Anne Johnson" }
        #expect(phone.activities.first?.content.contains("Anne Johnson") == true)
        await phone.device.inside(app.bundleID) { manager.stopDeliveryPizza() }
        try await eventually("the activity is gone") { phone.activities.isEmpty }
        await phone.setLiveActivities(of: app, allowed: false)
        await phone.device.inside(app.bundleID) { manager.startDeliveryPizza(at: now) }
        #expect(manager.lastError == "disabled")
    }
}

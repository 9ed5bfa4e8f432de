import PosthornStack
import PosthornTesting
import PushClock
import PushDevice
import Testing

/// Carries out an order on a phone, and returns when the apps have taken their events.
@MainActor
func carryOut(_ order: DeviceOrder, on phone: TestPhone, _ app: InstalledApp) async throws {
    let begin = ContinuousClock.now
    let reply = try await order.perform(
        on: phone.device,
        app: app.bundleID,
        courier: "ws://none.test",
        clock: TurnableClock()
    )
    // An order waits six seconds for the apps, and only a machine that needs more may answer otherwise.
    let isLate = begin.duration(to: .now) >= .seconds(6)
    #expect(reply == .done(isSettled: true) || isLate && reply == .done(isSettled: false))
    await phone.device.settled()
}

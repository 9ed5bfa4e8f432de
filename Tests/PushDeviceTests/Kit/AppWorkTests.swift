import PosthornTesting
import PushClock
import PushDevice
import Synchronization
import SystemPort
import TestSupport
import Testing
import UIKit

private final class IdleApp: UIResponder, UIApplicationDelegate {}

@Suite("An app's work")
@MainActor
struct AppWorkTests {
    private let phone = TestPhone(.iOS(17))
    private let app = InstalledApp(bundleID: "com.example.idle")

    private func work() async throws -> AppWork {
        phone.install(app) { IdleApp() }
        await phone.open(app)
        await phone.settle()
        return AppWork.of(try #require(phone.device.port(of: app.bundleID)))
    }

    @Test("An alarm is work from the moment at which it is due until it has rung")
    func alarm() async throws {
        let work = try await work()
        let busy = Mutex<[Bool]>([])
        let alarm = work.alarm(after: .seconds(10), on: phone.clock) {
            busy.withLock { $0.append(work.isBusy) }
        }
        let cancelled = work.alarm(after: .seconds(5), on: phone.clock) { busy.withLock { $0.append(false) } }
        #expect(!work.isBusy)
        cancelled.cancel()
        await phone.advance(by: .seconds(10))
        try await work.ended()
        #expect(busy.withLock(\.self) == [true])
        #expect(alarm.isDue && !work.isBusy && !work.isLeftOpen)
    }

    @Test("An alarm does not hold the work that sets it, and rings as the app's")
    func alarmOfWork() async throws {
        let work = try await work()
        let rung = Mutex<Bool?>(nil)
        await phone.device.inside(app.bundleID) {
            _ = work.alarm(after: .seconds(10), on: phone.clock) { rung.withLock { $0 = CurrentPort.bound != nil } }
        }
        #expect(!work.isBusy)
        #expect(await phone.settle(within: usualLimit))
        await phone.advance(by: .seconds(10))
        try await work.ended()
        #expect(rung.withLock(\.self) == true)
    }

    @Test("Work that nobody waits for any more is known until it ends")
    func left() async throws {
        let work = try await work()
        var piece: AppWork.Piece? = work.begin()
        #expect(piece != nil && work.isBusy && !work.isLeftOpen)
        work.leaveOpen()
        #expect(!work.isBusy && work.isLeftOpen)
        piece = nil
        #expect(!work.isLeftOpen)
    }

    @Test("At its limit a wait gives work that was left some turns of the main thread, and only then fails")
    func turns() async throws {
        let work = try await work()
        func wait(untilLook number: Int) async -> Bool {
            let looks = Mutex(0)
            return await phone.wait(for: .zero, "look \(number)") { _ in
                looks.withLock { looks in
                    looks += 1
                    return looks == number
                }
            }
        }
        await withKnownIssue { #expect(await wait(untilLook: 5)) }
        let piece = work.begin()
        work.leaveOpen()
        #expect(await wait(untilLook: 5))
        await withKnownIssue { #expect(await wait(untilLook: 100)) }
        withExtendedLifetime(piece) {}
    }
}

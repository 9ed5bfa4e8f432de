import Foundation
import Logging
import PushClock
import PushModel
import PushService
import PushStoreSQLite
import TestSupport
import Testing

/// Hears of nothing that another node accepts, and loses what it is told too.
private struct DeafSignal: WorkSignal {
    var lookInterval: Duration? { .seconds(1) }
    func raise() {}
    func wait() async {
        let (never, end) = AsyncStream.makeStream(of: Void.self)
        // Until the task is cancelled.
        for await _ in never {}
        end.finish()
    }
}

@Suite("Several dispatchers on one store", .suiteLimit)
struct SeveralDispatchersTests {
    private func core(
        in folder: URL,
        _ clock: VirtualClock,
        _ sender: ScriptedSender,
        owner: Int64
    ) async throws -> ServiceCore {
        let store = try SQLiteStore(path: folder.appending(path: "posthorn.sqlite").path)
        var ports = ServicePorts.scripted(store, sender, clock)
        ports.signal = DeafSignal()
        ports.owner = LeaseOwner(rawValue: owner)
        return try await ServiceCore(ports)
    }

    /// Lets a virtual second pass for every 500 pushes that are sent, and for every real second in which fewer are.
    ///
    /// The second case is needed: a lane whose worker has ended is taken up again only when time passes, since signals are lost
    /// here. It is safe: leases last 120 virtual seconds and are renewed every second of them, so one expires only if a single
    /// renewal takes two minutes.
    private func letTimePass(_ clock: VirtualClock, with sender: ScriptedSender) async {
        while !Task.isCancelled {
            let next = sender.sent.elements.count + 500
            await clock.skipPauses(upTo: .seconds(1), until: clock.now.advanced(by: .seconds(1)))
            _ = try? await event("500 more are sent", within: .seconds(1)) { await sender.sent.reach(next) }
        }
    }

    @Test("Each push is sent once, and a lost wake-up costs a second")
    func gorush834_twoDispatchersSendOneCopy() async throws {
        try await withTemporaryFolder { folder in
            let clock = VirtualClock()
            let sender = ScriptedSender()
            let first = try await core(in: folder, clock, sender, owner: 1)
            let store = first.store
            let app = try await TestService.createApp("com.example.app", in: store, at: clock.date).app
            // After the app: a service hears of what is created in its own process only.
            let cores = [first, try await core(in: folder, clock, sender, owner: 2)]
            let devices = (0..<3000).map { DeviceOrdinal($0) }
            for start in stride(from: 0, to: devices.count, by: 500) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in devices[start..<start + 500] {
                        group.addTask {
                            let device = try await store.registerDevice(
                                app: app.id,
                                installation: "\(number)",
                                note: nil,
                                make: { ordinal in
                                    RegisteredDevice(
                                        id: DeviceID(app: app.id, ordinal: ordinal),
                                        installation: "\(number)",
                                        secretHash: SecretHash(of: "\(ordinal)"),
                                        token: testToken(ordinal, app.id),
                                        environment: .production,
                                        tokenRegisteredAt: clock.date,
                                        lastSeen: clock.date
                                    )
                                },
                                change: { _ in }
                            )
                            for core in cores { core.registry.apply([device]) }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            await withThrowingTaskGroup(of: Void.self) { group in
                for core in cores { group.addTask { try await core.dispatcher.run() } }
                do {
                    // Before time passes: whoever looked before a push was accepted looks again a second later.
                    for _ in 0..<5 {
                        for core in cores { _ = try await core.acceptor.accept(Array(pushBody().utf8), for: app) }
                    }
                    group.addTask { await letTimePass(clock, with: sender) }
                    // No limit but the suite's: how long it takes is up to the machine.
                    _ = try #require(await sender.sent.reach(30_000), "The suite's time is over.")
                    #expect(sender.sent.elements.count == 30_000)
                    #expect(Set(sender.sent.elements.map(\.push.id)).count == 30_000)
                } catch {
                    Issue.record(error)
                }
                group.cancelAll()
                while await group.nextResult() != nil {}
            }
        }
    }
}

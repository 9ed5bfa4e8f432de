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

@Suite("Several dispatchers on one store", .timeLimit(.minutes(5)))
struct SeveralDispatchersTests {
    private func core(
        in folder: URL,
        _ clock: VirtualClock,
        _ sender: ScriptedSender,
        owner: Int64
    ) async throws -> ServiceCore {
        try await ServiceCore(
            store: SQLiteStore(path: folder.appending(path: "posthorn.sqlite").path),
            keys: testKeys,
            sender: sender,
            clock: clock,
            certificates: NoCertificates(),
            signal: DeafSignal(),
            owner: LeaseOwner(rawValue: owner),
            random: { 1 },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
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
                    group.addTask {
                        // Time passes only as pushes are sent: no lease expires, however slow the machine is.
                        for count in stride(from: 500, through: 30_000, by: 500) {
                            let end = clock.now.advanced(by: .seconds(2))
                            await clock.skipPauses(upTo: .seconds(1), until: end)
                            try await sender.sent.wait(for: count)
                        }
                    }
                    try await sender.sent.wait(for: 30_000)
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

import DeviceLink
import Foundation
import GRDB
import Logging
import PosthornStack
import PosthornTesting
import PushAPI
import PushClock
import PushDevice
import PushModel
import PushService
import TestSupport
import Testing

/// The service on its database and the SDK on its phone are killed together, before each frame that goes over their link,
/// and start again on what they have left on disk.
@Suite("Killed together", .suiteLimit)
struct KillTests {
    private static let link = "ws://service.test/link"
    private static let messages = 3

    @Test("Registration, names and custom messages: whenever both die, nothing is lost and nothing comes twice")
    func eachFrame() async throws {
        var cuts = 0
        while try await survives(cutBefore: cuts + 1) { cuts += 1 }
        // register, registered, logged-in, four requests with their replies, a message and an ack for each.
        #expect(cuts >= 3 + 8 + 2 * Self.messages)
    }

    /// - Returns: false if the road was gone to its end before the cut.
    private func survives(cutBefore limit: Int) async throws -> Bool {
        try await withTemporaryFolder { folder in
            let first = folder.appending(path: "first")
            let left = folder.appending(path: "left")
            try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
            let clock = VirtualClock()
            let phone = TestPhone(clock: clock)
            let service = try await Self.service(in: first, clock)
            let created = try await service.core.store.createApp(
                name: "app",
                bundleID: "com.example.killed",
                defaultEnvironment: .development,
                at: clock.date
            )
            let lives = AppLives(appKey: created.app.key.text)
            let app = InstalledApp(bundleID: "com.example.killed", link: Self.link)
            phone.install(app) { NamingApp(lives) }
            let cids = (0..<Self.messages).map { _ in created.app.key.makeCID() }

            let wire = CutWire(to: service.core.links, before: limit) {
                do { try Self.copy(first, to: left) } catch { Issue.record(error, "before frame \(limit)") }
                phone.device.terminate(app.bundleID)
            }
            phone.dialer.serve(Self.link, wire)
            try await Self.whileRunning(service) {
                await phone.open(app)
                try await go(with: service, cids, created.app, lives) { wire.isOver }
                try await eventually("each message is acknowledged, or the service is cut off") {
                    wire.acknowledgements == Self.messages || wire.isOver
                }
            }
            await phone.device.settled()
            if wire.isOver {
                let next = try await Self.service(in: left, clock)
                phone.dialer.serve(Self.link, CutWire(to: next.core.links, before: .max) {})
                try await Self.whileRunning(next) {
                    await phone.open(app)
                    try await go(with: next, cids, created.app, lives) { false }
                }
            }
            #expect(lives.heard == (0..<Self.messages).map { "\($0)" }, "cut before frame \(limit)")
            return wire.isOver
        }
    }

    /// Pushes the messages, each when the one before was heard, and waits until the service knows all that the app has said.
    ///
    /// A backend does not know whether a push without an answer was taken: it sends it again, with the same cid.
    private func go(
        with service: ServiceNode,
        _ cids: [String],
        _ app: App,
        _ lives: AppLives,
        until isOver: () -> Bool
    ) async throws {
        func wait(_ awaited: String, _ isTrue: () async throws -> Bool) async throws {
            try await eventually("\(awaited), or the service is cut off") {
                if try await isTrue() { return true }
                return isOver()
            }
        }
        for (number, cid) in cids.enumerated() where !lives.heard.contains("\(number)") {
            let body: JSONValue = [
                "platform": "all", "audience": "all", "cid": .string(cid),
                "message": ["msg_content": .string("\(lives.name)\(number)")],
            ]
            // Until the device is registered there is nobody to push to.
            try await wait("push \(number) is taken") {
                (try? await service.core.acceptor.accept(body.bytes, for: app)) != nil
            }
            try await wait("message \(number) is heard") { lives.heard.contains("\(number)") }
        }
        try await wait("the service knows the device") {
            let devices = try await service.core.devices.list(of: app.id, tag: nil, alias: nil, after: nil, limit: 10)
            guard devices.count == 1, let device = devices.first else {
                #expect(devices.count < 2)
                return false
            }
            return device.tags == ["a", "b"] && device.alias == "tom" && device.badge == 7 && device.mobile == "+86-130"
        }
    }

    /// Copies the files of a service that runs, as a death would leave them.
    private static func copy(_ folder: URL, to left: URL) throws {
        let names = ["posthorn.sqlite", "posthorn.sqlite-wal", "secret.key"]
        let database = try DatabaseQueue(path: folder.appending(path: names[0]).path(percentEncoded: false))
        defer { try? database.close() }
        try database.read { database in
            // A reader: while it reads, what a checkpoint copies into the database stays in the log too.
            _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema")
            for name in names {
                try FileManager.default.copyItem(at: folder.appending(path: name), to: left.appending(path: name))
            }
        }
    }

    private static func service(in folder: URL, _ clock: VirtualClock) async throws -> ServiceNode {
        let folder = try DataFolder(folder.path(percentEncoded: false))
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let (store, secret) = try await ServiceStore.open(in: folder, logger: logger)
        return try await ServiceNode(
            ServiceNode.Settings(),
            store: store,
            secret: secret,
            clock: clock,
            logger: logger
        )
    }

    /// The parts of a service that SDK links need.
    private static func whileRunning(_ service: ServiceNode, _ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.core.journeyLog.run() }
            group.addTask { try await service.core.links.run() }
            defer { group.cancelAll() }
            try await body()
        }
    }
}

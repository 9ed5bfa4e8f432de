package import Foundation
import PushModel
package import PushService
import Testing

// Samples that the clauses begin with.
extension PushStoreContract {
    package static let start = Date(timeIntervalSince1970: 1_767_254_400)

    static func after(_ seconds: TimeInterval) -> Date { start.addingTimeInterval(seconds) }

    /// An app that is not created yet.
    static func draft(_ key: Character = "a", secret: String = "secret") throws -> App {
        App(
            id: 0,
            key: try #require(AppKey(String(repeating: key, count: 24))),
            secretHash: SecretHash(of: secret),
            name: "An app, \"quoted\" – 中",
            bundleID: "com.example.app",
            defaultEnvironment: .development,
            createdAt: start
        )
    }

    package static func app(_ key: Character = "a", in store: any PushStore) async throws -> App {
        try await store.createApp(draft(key))
    }

    /// A group that is not created yet.
    static func group(_ key: Character, _ apps: [App.ID] = [], secret: String = "group secret") throws -> AppGroup {
        AppGroup(
            id: 0,
            key: try #require(GroupKey(String(repeating: key, count: 24))),
            secretHash: SecretHash(of: secret),
            name: "A \"group\" 组",
            createdAt: start,
            apps: apps
        )
    }

    /// A developer who is not created yet.
    static func developer(_ key: Character, secret: String = "developer's") throws -> Developer {
        Developer(
            id: 0,
            key: try #require(AppKey(String(repeating: key, count: 24))),
            secretHash: SecretHash(of: secret),
            name: "开发者",
            createdAt: start
        )
    }

    /// Registers a device, with what `complete` adds to it.
    package static func device(
        _ installation: String,
        of app: App,
        in store: any PushStore,
        note: UseNote? = nil,
        complete: @escaping @Sendable (inout RegisteredDevice) -> Void = { _ in }
    ) async throws -> RegisteredDevice {
        try await store.registerDevice(
            app: app.id,
            installation: installation,
            note: note,
            make: { ordinal in
                var device = RegisteredDevice(
                    id: DeviceID(app: app.id, ordinal: ordinal),
                    installation: installation,
                    secretHash: SecretHash(of: installation),
                    environment: .production,
                    tokenRegisteredAt: start,
                    lastSeen: start
                )
                complete(&device)
                return device
            },
            change: { _ in }
        )
    }

    package static func message(
        _ id: Int64,
        of app: App.ID,
        at date: Date = start,
        body: [UInt8] = Array("{\"é\":1}".utf8) + [0xFF, 0],
        timeToLive: Int64 = 60,
        cid: String? = nil
    ) -> Message {
        Message(
            id: MessageID(id),
            app: app,
            acceptedAt: date,
            body: body,
            environment: .production,
            timeToLive: timeToLive,
            sendno: 4_294_967_291,
            cid: cid
        )
    }

    static func message(_ id: Int64, of app: App, at date: Date = start, cid: String? = nil) -> Message {
        message(id, of: app.id, at: date, cid: cid)
    }

    package static func chunk(
        _ message: Message,
        _ number: Int = 0,
        _ ordinals: [DeviceOrdinal] = [0, 1, 2],
        kind: Chunk.Kind = .send,
        at date: Date = start
    ) -> Chunk {
        Chunk(
            id: Chunk.ID(message: message.id, number: number),
            kind: kind,
            ordinals: OrdinalList(ordinals),
            dueAt: date,
            updatedAt: start
        )
    }
}

package import Foundation
package import PushModel
package import PushService

/// The number of take-backs that are looked through at a login, the newest first.
private let openTakeBackLimit = 20

/// The column `device` of a take-back that asks all devices that have the notification.
private let allDevices: Int64 = -1

/// The column `device` of a row that is no take-back: the push that replaces the other one.
private let replaced: Int64 = -2

// Take-backs: pushes that ask devices to remove the notifications of others.
extension SQLStore {
    package func takeBack(
        _ message: MessageID,
        from devices: [DeviceOrdinal],
        of app: App.ID,
        at now: Date,
        cidsSince: Date,
        storing orders: @escaping @Sendable ([DeviceOrdinal]) throws -> [PreparedPush]
    ) async throws -> [PreparedPush] {
        try await change { [self] session in
            let known = try session.takeBacks(of: message, on: nil)
            // A push of a batch has one device.
            guard let row = try MessageRow.find(message, in: session), row.app == app, row.place == nil,
                known.allSatisfy({ $0.device != nil })
            else { return [] }
            let asked = Set(known.map(\.device))
            let rest = devices.filter { !asked.contains($0) }
            var open: [DeviceOrdinal] = []
            for (chunk, places) in try session.places(of: rest, in: message, .send) {
                let key: SQLStatement = "message = \(message) AND number = \(chunk.number)"
                let sent = try session.first("SELECT sent FROM anyChunk WHERE \(key)") { $0.places(0) }
                let opened = try session.first("SELECT clicked FROM chunkReport WHERE \(key)") { $0.places(0) }
                open += places.filter { sent?.contains($0.place) == true && opened?.contains($0.place) != true }
                    .map(\.ordinal)
            }
            guard !open.isEmpty else { return [] }
            let new = try orders(open)
            for order in new { try session.note(order, takingBack: message) }
            try store(new, cidsSince: cidsSince, in: session)
            return new
        }
    }

    package func takeBacks(of message: MessageID, on device: DeviceOrdinal?) async throws -> [TakeBack] {
        try await queryOnce { try $0.takeBacks(of: message, on: device) }
    }

    package func replacement(of message: MessageID) async throws -> MessageID? {
        try await queryOnce { try $0.replacement(of: message) }
    }

    package func lastTakeBack() async throws -> Date? {
        try await queryOnce { try $0.first("SELECT max(at) FROM takeBackOrder") { $0.optionalDate(0) } ?? nil }
    }

    package func openTakeBacks(of device: DeviceID, since date: Date) async throws -> [TakeBack] {
        try await query { session in
            let recent = try session.takeBacks(
                """
                takeBackOrder.app = \(device.app) AND device IN (\(allDevices), \(device.ordinal)) AND takeBackOrder.at >= \(date)
                """,
                limit: openTakeBackLimit
            )
            return try recent.filter { try session.isOpen($0.id, on: device) }
        }
    }
}

extension SQLSession {
    /// Returns the take-backs of a push, the newest first: all, or those that may ask a device.
    func takeBacks(of message: MessageID, on device: DeviceOrdinal?) throws -> [TakeBack] {
        let condition: SQLStatement = "takeBackOrder.message = \(message) AND device <> \(replaced)"
        guard let device else { return try takeBacks(condition) }
        return try takeBacks("\(condition) AND device IN (\(allDevices), \(device))")
    }

    fileprivate func takeBacks(_ condition: SQLStatement, limit: Int = .max) throws -> [TakeBack] {
        try rows(
            """
            SELECT id, takeBackOrder.message, device, takeBackOrder.at, displayed, clicked FROM takeBackOrder
            LEFT JOIN chunkReport ON chunkReport.message = id AND number = 0
            WHERE \(condition) ORDER BY takeBackOrder.at DESC, id DESC LIMIT \(limit)
            """
        ) { row in
            var answer: ReceiptBits = []
            if row.optionalBytes(4)?.isEmpty == false { answer.insert(.displayed) }
            if row.optionalBytes(5)?.isEmpty == false { answer.insert(.clicked) }
            return TakeBack(
                id: row.message(0),
                message: row.message(1),
                device: row.int64(2) == allDevices ? nil : row.ordinal(2),
                at: row.date(3),
                answer: answer
            )
        }
    }

    /// Returns the push that has replaced another one.
    func replacement(of message: MessageID) throws -> MessageID? {
        try first("SELECT id FROM takeBackOrder WHERE message = \(message) AND device = \(replaced)") { $0.message(0) }
    }

    /// Notes that a push asks to remove the notification of another one, or replaces it.
    func note(_ order: PreparedPush, takingBack message: MessageID) throws {
        let device =
            order.message.takesBack == nil ? replaced : order.takesBackFrom.map { Int64($0) } ?? allDevices
        try queue(
            """
            INSERT INTO takeBackOrder (id, message, app, device, at)
            VALUES (\(order.message.id), \(message), \(order.message.app), \(device), \(order.message.acceptedAt))
            """
        )
    }

    /// Returns whether a take-back is for a device that has not answered it.
    fileprivate func isOpen(_ id: MessageID, on device: DeviceID) throws -> Bool {
        for (chunk, places) in try places(of: [device.ordinal], in: id, .send) {
            let answered = try first(
                "SELECT clicked FROM chunkReport WHERE message = \(id) AND number = \(chunk.number)"
            ) { $0.places(0) }
            return places.contains { answered?.contains($0.place) != true }
        }
        return false
    }
}

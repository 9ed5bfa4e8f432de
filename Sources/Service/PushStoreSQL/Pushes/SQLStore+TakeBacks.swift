package import Foundation
package import PushModel
package import PushService

/// The number of take-backs of an app that are looked through at a login, the newest first.
private let openTakeBackLimit = 20

// Take-backs: pushes that ask devices to remove the notifications of others.
extension SQLStore {
    package func takeBack(of message: MessageID) async throws -> MessageID? {
        try await queryOnce { try $0.takeBack(of: message) }
    }

    package func lastTakeBack() async throws -> Date? {
        try await queryOnce { try $0.first("SELECT max(at) FROM takeBack") { $0.optionalDate(0) } ?? nil }
    }

    package func openTakeBacks(of device: DeviceID, since date: Date) async throws -> [TakeBack] {
        try await query { session in
            let recent = try session.rows(
                """
                SELECT id, message FROM takeBack WHERE app = \(device.app) AND at >= \(date)
                ORDER BY at DESC LIMIT \(openTakeBackLimit)
                """
            ) { TakeBack(id: $0.message(0), message: $0.message(1)) }
            return try recent.filter { try session.isOpen($0.id, on: device) }
        }
    }
}

extension SQLSession {
    func takeBack(of message: MessageID) throws -> MessageID? {
        try first("SELECT id FROM takeBack WHERE message = \(message)") { $0.message(0) }
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

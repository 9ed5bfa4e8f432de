import UIKit
import UserNotifications

// An app that keeps its entries in the Notification Centre in order.
@MainActor
final class ScoreBoard {
    private let center = UNUserNotificationCenter.current()

    /// The last score of a game that is still in the Notification Centre.
    func shownScore(of game: String) async -> String? {
        let delivered = await center.deliveredNotifications()
        return delivered.first { $0.request.identifier == game }?.request.content.body
    }

    /// The user has read the game in the app.
    func didRead(_ game: String) {
        center.removeDeliveredNotifications(withIdentifiers: [game])
    }

    /// The user has read everything about a team: its entries have one thread.
    func didReadAll(about team: String) async {
        let entries = await center.deliveredNotifications().filter { $0.request.content.threadIdentifier == team }
        center.removeDeliveredNotifications(withIdentifiers: entries.map(\.request.identifier))
    }

    /// A newer score takes the place of the entry, and alerts again.
    func update(_ game: String, to score: String) async throws {
        let content = UNMutableNotificationContent()
        content.title = game
        content.body = score
        try await center.add(UNNotificationRequest(identifier: game, content: content, trigger: nil))
    }

    func setBadge(_ count: Int) async throws {
        try await center.setBadgeCount(count)
    }
}

import Foundation

/// Observes notifications of one name until it is released.
final class Observation {
    private let token: any NSObjectProtocol

    /// - Parameters:
    ///   - name: the name of the notifications.
    ///   - body: called on the thread that posts.
    init(of name: Notification.Name, _ body: @escaping @Sendable (Notification) -> Void) {
        token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil, using: body)
    }

    deinit { NotificationCenter.default.removeObserver(token) }
}

import Foundation
import PushClock
import PushModel

extension PushAcceptor {
    /// Withdraws a push, and the VoIP push beside it: no further device receives them. When this returns, the withdrawal is on disk.
    ///
    /// Steps that a worker has in progress, up to 2,000 devices, are finished. Withdrawing a push again changes nothing.
    ///
    /// - Throws: 1003 for a push that belongs to another app or is older than a day.
    package func withdraw(_ id: String, of app: App) async throws {
        let now = clock.date
        let since = now.addingTimeInterval(-Double(JPushLimits.withdrawal))
        guard let message = MessageID(id) else {
            throw JPushError.badValue("'\(id)' is not a msg_id; expected decimal digits.")
        }
        guard let ended = try await store.withdraw(message, of: app.id, since: since, at: now) else {
            throw JPushError.badValue("This app has sent no push with msg_id \(id) in the last day.")
        }
        laneRegistry.withdraw(message)
        // Both are withdrawn on disk; this tells the worker of the VoIP push without waiting for its checkpoint.
        if let voip = try await store.voipPush(of: message) { laneRegistry.withdraw(voip) }
        // The router may still hold the message in memory; the log no longer contains it.
        router.readLog()
        guard let observer else { return }
        for chunk in ended {
            for ordinal in chunk.rest {
                let id = apnsIDs.apnsID(of: chunk.id.message, to: ordinal)
                observer.record(.service(.withdrawn, at: now), of: .push(apnsID: id.text))
            }
        }
    }
}

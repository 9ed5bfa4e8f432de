import Foundation
import PushClock
import PushModel

extension PushAcceptor {
    /// Takes a push back: nobody who has not been sent it yet will be. When this returns that is on disk.
    ///
    /// The steps that a worker has under way, of 2,000 devices at most, are finished. A second time changes nothing.
    ///
    /// - Throws: 1003 for a push that is not the app's, or is older than a day.
    package func withdraw(_ id: String, of app: App) async throws {
        let now = clock.date
        let since = now.addingTimeInterval(-Double(JPushLimits.withdrawal))
        guard let message = MessageID(id) else {
            throw JPushError.badValue("'\(id)' is no msg_id; expected decimal digits.")
        }
        guard let chunks = try await store.withdraw(message, of: app.id, since: since, at: now) else {
            throw JPushError.badValue("This app has sent no push with msg_id \(id) in the last day.")
        }
        laneRegistry.withdraw(message)
        // What is in memory may have it still: the log has it no more.
        router.accepted()
        guard let observer else { return }
        for ordinal in chunks.flatMap(\.rest) {
            observer.record(
                JourneyEvent(date: now, station: .service, kind: .withdrawn),
                of: .push(apnsID: apnsIDs.apnsID(of: message, to: ordinal))
            )
        }
    }
}

import Foundation
import PushModel

// A VoIP push beside a notification.
extension PushAcceptor {
    /// Returns the VoIP push that stands beside the notification of a push, among the devices of its audience; nil if there
    /// is none.
    ///
    /// It is a message of its own, so that its journeys, retries and counts are apart from those of the notification. It is
    /// stored together with the notification, or not at all.
    func voipPush(
        of request: PushRequest,
        _ body: [UInt8],
        for app: App,
        at now: Date,
        among base: Resolution
    ) async throws -> PreparedPush? {
        guard request.hasVoIPBesideNotification else { return nil }
        let alone = request.voipAlone
        guard let key = alone.channelKey else { return nil }
        let resolution = try await resolve(key, among: base, of: app.id, environment: alone.options.environment)
        let id = try await messageIDs.take()
        let text = try PushRequest.voipAlone(in: body)
        var push = makePush(alone, text, id: id, for: app, at: now, resolution)
        // The notification counts as the paced push.
        push.isPaced = false
        return push
    }
}

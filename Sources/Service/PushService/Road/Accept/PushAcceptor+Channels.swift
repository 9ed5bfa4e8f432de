import Foundation
import PushModel

extension PushRequest {
    /// The tokens that a push to Live Activities or a VoIP push is sent to; nil for any other push.
    ///
    /// A start goes to the tokens for starting its attributes type, any other event to those of the activity. A start may name
    /// its audience by `live_activity_id` too: the SDK registers the tokens for starting under the attributes type.
    var channelKey: ChannelKey? {
        guard let liveActivity else {
            return isVoIPAlone ? ChannelKey(channel: .voip, name: "") : nil
        }
        let name = liveActivityID ?? liveActivity.attributesType ?? ""
        return ChannelKey(channel: liveActivity.event == .start ? .activityStart : .activity, name: name)
    }
}

extension PushAcceptor {
    /// Resolves the audience of a push to Live Activities, or of a VoIP push, among the devices of the push's audience; nil
    /// stands for a push that names its devices by `live_activity_id`.
    func resolve(
        _ key: ChannelKey,
        among base: Resolution?,
        of app: App.ID,
        environment: APNSEnvironment
    ) async throws -> Resolution {
        let devices = try await store.channelDevices(key, of: app)
        let own = devices[environment] ?? []
        let others = devices.filter { $0.key != environment }.values.flatMap { $0 }
        var resolution = Resolution()
        guard let base else {
            // Each device is asked for once: it takes the registry's lock.
            for (ordinals, isOwn) in [(own, true), (others, false)] {
                for ordinal in ordinals {
                    if registry.isStopped(DeviceID(app: app, ordinal: ordinal)) {
                        resolution.stopped.append(ordinal)
                    } else if isOwn {
                        resolution.reachable.append(ordinal)
                    } else {
                        resolution.inOtherEnvironment.append(ordinal)
                    }
                }
            }
            resolution.stopped.sort()
            return resolution
        }
        let ownSet = Set(own)
        let otherSet = Set(others)
        resolution.stopped = base.stopped
        // Whether a device has a token for notifications does not matter.
        for ordinal in base.linked {
            if ownSet.contains(ordinal) {
                resolution.reachable.append(ordinal)
            } else if otherSet.contains(ordinal) {
                resolution.inOtherEnvironment.append(ordinal)
            } else {
                resolution.withoutToken.append(ordinal)
            }
        }
        return resolution
    }
}

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

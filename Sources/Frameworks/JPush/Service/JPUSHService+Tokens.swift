import DeviceLink
public import Foundation
import PushModel
import SystemPort

extension JPUSHService {
    /// Registers the PushKit token.
    public class func registerVoipToken(_ voipToken: Data!) {
        guard let voipToken, !voipToken.isEmpty else { return }
        let environment = CurrentPort.find().facts.environment
        let request = SDKRequest.voipToken(DeviceToken(bytes: voipToken), environment)
        client.request(JPushState.Operation(request: request, deadline: .never)) { _ in }
    }

    /// Registers the token of a Live Activity; call it again when the token changes.
    ///
    /// - Parameters:
    ///   - liveActivityId: the app's id for the activity.
    ///   - pushToken: the token; nil if the activity has ended.
    ///   - completion: receives the result code, id, token and `seq` of the call.
    ///   - seq: returned to the completion.
    public class func registerLiveActivity(
        _ liveActivityId: String!,
        pushToken: Data?,
        completion: JPUSHLiveActivityTokenCompletion!,
        seq: Int
    ) {
        register(liveActivityId, token: pushToken, completion: completion, seq: seq) { .activityToken(id: $0, $1) }
    }

    /// Registers the token with which a push starts a Live Activity of this attributes type.
    public class func registerLiveActivity(
        _ activityAttributes: String!,
        pushToStartToken: Data?,
        completion: JPUSHLiveActivityTokenCompletion!,
        seq: Int
    ) {
        register(activityAttributes, token: pushToStartToken, completion: completion, seq: seq) {
            .activityStartToken(type: $0, $1)
        }
    }

    private class func register(
        _ name: String?,
        token: Data?,
        completion: JPUSHLiveActivityTokenCompletion?,
        seq: Int,
        _ request: (String, DeviceToken?) -> SDKRequest
    ) {
        guard let name, !name.isEmpty else {
            return client.onMain { completion?(ResultCode.nothingToSet, name, token, seq) }
        }
        let known = token.flatMap { $0.isEmpty ? nil : DeviceToken(bytes: $0) }
        client.request(JPushState.Operation(request: request(name, known))) { reply in
            completion?(reply.code, name, token, seq)
        }
    }
}

import DeviceLink
import PushClock
import PushModel

/// Tokens that the gateway did not issue.
extension Gateway {
    /// The longest device token in octets. Apple announced tokens of up to 100 (WWDC 2015, "What's New in Notifications"); those of the
    /// Simulator have 80.
    static let longestToken = 100

    /// Takes a token for the app's on its device, instead of one of the gateway's own. Another token of the app ends, as if the app had been
    /// installed again.
    ///
    /// - Throws: 400 for names that no device may have, and 409 for a token that has ended or is another app's.
    func adopt(_ token: DeviceToken, for app: CourierServer.DeviceApp) throws(ControlRefusal) {
        guard token.bytes.count <= Self.longestToken else {
            throw .bad("The token has \(token.bytes.count) bytes; expected at most \(Self.longestToken).")
        }
        if let problem = app.problem { throw .bad(problem) }
        if let refusal = change({ self.adopt(token, for: app, &$0) }) { throw refusal }
    }

    private func adopt(
        _ token: DeviceToken,
        for app: CourierServer.DeviceApp,
        _ state: inout GatewayState
    ) -> ControlRefusal? {
        if let known = index(of: token, state) {
            guard state.records[known].unregistered == nil else {
                return .conflict("The token has ended; an app that registers again gets another one.")
            }
            guard state.records[known].app == app else {
                return .conflict("The token belongs to another app or to another device.")
            }
            return nil
        }
        let now = clock.date
        if let older = state.placeOfApp[app] { kill(older, since: now, &state) }
        state.placeOfApp[app] = add(token, topic: app.topic, environment: app.environment, of: app, in: &state)
        if state.courier.canReach(app) { register(app, at: now, in: &state) }
        return nil
    }
}

import APNSGateway
package import PushModel

/// One device token of each kind.
package struct SampleTokens: Sendable {
    package var valid: DeviceToken
    package var unregistered: DeviceToken
    package var otherTopic: DeviceToken
    package var otherEnvironment: DeviceToken

    /// Issues a valid token for `topic` in `environment`, and one for each way in which a token can be wrong.
    init(of gateway: Gateway, topic: String, otherTopic: String, environment: APNSEnvironment) {
        let other: APNSEnvironment = environment == .production ? .development : .production
        valid = gateway.issueToken(topic: topic, environment: environment)
        unregistered = gateway.issueToken(topic: topic, environment: environment)
        self.otherTopic = gateway.issueToken(topic: otherTopic, environment: environment)
        otherEnvironment = gateway.issueToken(topic: topic, environment: other)
        gateway.unregisterToken(unregistered)
    }
}

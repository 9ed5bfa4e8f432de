import DeviceLink
import PushClock
import PushModel

// The APNs tokens of a device.
extension RegistrationController {
    /// The maximum number of Live Activities per device whose tokens are kept, and of attributes types.
    private static let activityTokens = 100
    /// The maximum length of a token in bytes: today's have 32, those of Live Activities more (our choice).
    private static let tokenBytes = 256
    /// The maximum length of an app's id of a Live Activity, or of an attributes type, in bytes.
    private static let activityNameBytes = 256

    func setToken(_ token: DeviceToken, _ environment: APNSEnvironment, of device: DeviceID) async throws -> SDKReply {
        let changed = try await store.setToken(token, environment, of: device, at: clock.date)
        registry.apply(changed)
        // The device that lost the token may have been imported.
        if changed.count > 1 { registry.apply(try await store.importedIDs(of: device)) }
        return SDKReply(code: 0)
    }

    /// Returns the refusal of a request with a token, or the name of one, that is out of range; nil for all others.
    static func refusal(ofTokenIn request: SDKRequest) -> SDKReply? {
        let (token, name): (DeviceToken?, String?) =
            switch request {
            case .token(let token, _), .voipToken(let token, _): (token, nil)
            case .activityToken(let name, let token), .activityStartToken(let name, let token): (token, name)
            default: (nil, nil)
            }
        if let name, name.isEmpty || name.utf8.count > activityNameBytes {
            return refusal("The name has \(name.utf8.count) bytes; expected 1 to 256.")
        }
        if let name, name.hasNUL {
            return refusal("The name has the character U+0000; leave it out.")
        }
        guard let count = token?.bytes.count, count > tokenBytes else { return nil }
        return refusal("The token has \(count) bytes; expected at most \(tokenBytes).")
    }

    /// Stores or removes a channel token.
    ///
    /// A nil `token` removes it. A nil `environment` stands for the one in which the device has registered.
    func record(
        _ channel: ChannelToken.Channel,
        name: String,
        token: DeviceToken?,
        environment: APNSEnvironment?,
        of device: DeviceID
    ) async throws -> SDKReply {
        guard let environment = environment ?? registry.environment(of: device) else { return Self.unknownDevice }
        if let token {
            try await store.setChannelToken(
                ChannelToken(channel: channel, name: name, token: token, environment: environment),
                of: device,
                limit: Self.activityTokens,
                at: clock.date
            )
        } else {
            try await store.removeChannelToken(channel, name: name, of: device)
        }
        return SDKReply(code: 0)
    }
}

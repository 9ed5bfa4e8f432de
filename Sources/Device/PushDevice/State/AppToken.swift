import PushModel

/// An app's device token.
struct AppToken: Sendable {
    /// The token, from the gateway's answer until the app unregisters.
    private(set) var value: DeviceToken?
    /// Whether the app requested it and has not received it yet.
    var isAwaited = false

    /// Takes a token of the gateway. Returns whether the app has to receive it: because it asked, or because the token is new.
    mutating func take(_ token: DeviceToken) -> Bool {
        guard isAwaited || value != token else { return false }
        value = token
        return true
    }
}

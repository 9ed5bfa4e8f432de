import Crypto
import Foundation
import PushModel

/// Derives device tokens: the same device, app and environment always get the same one, until the app is removed.
struct TokenMint: Sendable {
    private let secret: SymmetricKey

    init(secret: [UInt8]) { self.secret = SymmetricKey(data: secret) }

    /// Returns 32 bytes that nobody without the secret can guess or distinguish from random ones.
    ///
    /// `generation` is the number of times that the app was removed from the device before.
    func token(device: String, topic: String, environment: APNSEnvironment, generation: Int) -> DeviceToken {
        // A JSON array delimits the parts, so they cannot run into each other.
        let parts: JSONValue = [
            .string(device), .string(topic), .string(environment.rawValue), .number(generation),
        ]
        let code = HMAC<SHA256>.authenticationCode(for: Data(parts.bytes), using: secret)
        return DeviceToken(bytes: code)
    }
}

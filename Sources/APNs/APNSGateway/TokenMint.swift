import Crypto
import Foundation
import PushModel

/// Makes device tokens: the same device, app and environment always get the same one, until the app is removed.
struct TokenMint: Sendable {
    private let secret: SymmetricKey

    init(secret: [UInt8]) { self.secret = SymmetricKey(data: secret) }

    /// 32 bytes, which nobody without the secret can guess or tell from random ones.
    ///
    /// * `generation`: how often the app was removed from the device before.
    func token(device: String, topic: String, environment: APNSEnvironment, generation: Int) -> DeviceToken {
        // The parts cannot run into each other: a JSON array says where each begins and ends.
        let parts: JSONValue = [
            .string(device), .string(topic), .string(environment.rawValue), .integer(Int64(generation)),
        ]
        let code = HMAC<SHA256>.authenticationCode(for: Data(parts.bytes), using: secret)
        return DeviceToken(bytes: code)
    }
}

import PushModel

/// A new key and its secret: 24 random hexadecimal digits each.
///
/// Client libraries refuse keys and secrets that are not 24 letters and digits.
struct MintedKey<Key> {
    let key: Key
    let secret: String

    /// Makes a key by `make`, which checks its text.
    init(using generator: inout some RandomNumberGenerator, _ make: (String) -> Key?) {
        secret = generator.hexadecimalDigits(24)
        guard let key = make(generator.hexadecimalDigits(24)) else {
            preconditionFailure("24 hexadecimal digits are a key.")
        }
        self.key = key
    }

    var secretHash: SecretHash { SecretHash(of: secret) }
}

import Crypto
import Foundation

/// The token of a port, sent as `Authorization: Bearer`.
package enum BearerToken {
    /// Whether the header contains the token, compared in constant time.
    package static func isIn(_ header: String?, _ token: String) -> Bool {
        Authorization.bearerToken(in: header).map { matches($0, token) } ?? false
    }

    /// Whether the header contains the token as the password of any user (RFC 7617), which browsers ask for.
    package static func isPassword(in header: String?, _ token: String) -> Bool {
        Authorization.basic(in: header).map { matches($0.password[...], token) } ?? false
    }

    private static func matches(_ text: Substring, _ token: String) -> Bool {
        SHA256.hash(data: Data(text.utf8)) == SHA256.hash(data: Data(token.utf8))
    }
}

import Crypto
import Foundation

/// The token of a port, sent as `Authorization: Bearer`.
package enum BearerToken {
    /// Whether the header contains the token, compared in constant time.
    package static func isIn(_ header: String?, _ token: String) -> Bool {
        let words = header?.split(separator: " ") ?? []
        guard words.count == 2, words[0].lowercased() == "bearer" else { return false }
        return matches(words[1], token)
    }

    /// Whether the header contains the token as the password of any user (RFC 7617), which browsers ask for.
    package static func isPassword(in header: String?, _ token: String) -> Bool {
        let words = header?.split(separator: " ") ?? []
        guard words.count == 2, words[0].lowercased() == "basic", let data = Data(base64Encoded: String(words[1])),
            let text = String(bytes: data, encoding: .utf8), let colon = text.firstIndex(of: ":")
        else { return false }
        return matches(text[text.index(after: colon)...], token)
    }

    private static func matches(_ text: Substring, _ token: String) -> Bool {
        SHA256.hash(data: Data(text.utf8)) == SHA256.hash(data: Data(token.utf8))
    }
}

import Crypto
import Foundation

/// The token of a port, sent as `Authorization: Bearer`.
package enum BearerToken {
    /// Whether the header contains the token, compared in constant time.
    package static func isIn(_ header: String?, _ token: String) -> Bool {
        let words = header?.split(separator: " ") ?? []
        guard words.count == 2, words[0].lowercased() == "bearer" else { return false }
        return SHA256.hash(data: Data(words[1].utf8)) == SHA256.hash(data: Data(token.utf8))
    }
}

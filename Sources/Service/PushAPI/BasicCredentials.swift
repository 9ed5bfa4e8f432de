import Foundation
import HTTPTypes
import Hummingbird

/// The credentials of a request: `Basic base64(user:password)`.
struct BasicCredentials {
    var user: String
    var password: String

    /// Nil for missing or unreadable credentials.
    init?(_ request: Request) {
        guard let header = request.headers[.authorization] else { return nil }
        let words = header.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "basic", let data = Data(base64Encoded: String(words[1])),
            let pair = String(validating: data, as: UTF8.self)
        else { return nil }
        let parts = pair.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        (user, password) = (String(parts[0]), String(parts[1]))
    }
}

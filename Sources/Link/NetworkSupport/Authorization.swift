import Crypto
import Foundation

/// The credentials of an `Authorization` field: a scheme in any case, one or more spaces, and a token.
///
/// Source: RFC 9110, sections 11.1 and 11.4.
package enum Authorization {
    /// Returns the token of `Bearer TOKEN` (RFC 6750); nil for other credentials.
    package static func bearerToken(in field: String?) -> Substring? { token(of: "bearer", in: field) }

    /// Returns the user and password of `Basic base64(user:password)` (RFC 7617); nil for other credentials.
    package static func basic(in field: String?) -> (user: String, password: String)? {
        guard let token = token(of: "basic", in: field), let data = Data(base64Encoded: String(token)),
            let pair = String(validating: data, as: UTF8.self)
        else { return nil }
        let parts = pair.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        return (String(parts[0]), String(parts[1]))
    }

    // A token of this service may contain spaces, which RFC 6750 does not allow: all that follows the scheme is compared.
    private static func token(of scheme: String, in field: String?) -> Substring? {
        guard let field, let end = field.firstIndex(of: " "), field[..<end].lowercased() == scheme else { return nil }
        let token = field[end...].drop { $0 == " " }
        return token.lastIndex { $0 != " " }.map { token[...$0] }
    }
}

package import Foundation
import PushModel

/// The claims of a provider token before verification.
///
/// Tolerant where real libraries differ: `iat` may be a string of digits (kalyke), the signature may be ASN.1 DER
/// (Apple's own shell recipe), extra claims are ignored. Source: Apple, "Establishing a
/// token-based connection to APNs".
package struct ProviderTokenClaims: Sendable {
    package var keyID: String
    package var teamID: String
    package var issuedAt: Date
    /// The octets that the signature covers.
    var signed: Data
    var signature: [UInt8]

    /// Nil for anything that is not a JSON Web Token with ES256.
    package init?(_ token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3,
            let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = Self.decode(parts[2]),
            header["alg"]?.string == "ES256", let keyID = header["kid"]?.string, let teamID = claims["iss"]?.string,
            let issuedAt = claims["iat"]?.double ?? claims["iat"]?.string.flatMap(Double.init), issuedAt.isFinite
        else { return nil }
        self.keyID = keyID
        self.teamID = teamID
        self.issuedAt = Date(timeIntervalSince1970: issuedAt)
        self.signature = signature
        signed = Data((parts[0] + "." + parts[1]).utf8)
    }

    private static func object(_ part: Substring) -> JSONObject? {
        decode(part).flatMap { try? JSONValue(parsing: $0) }?.object
    }

    /// Decodes base64url (RFC 4648, section 5); padding is optional.
    private static func decode(_ part: Substring) -> [UInt8]? {
        var text = String(part).replacing("-", with: "+").replacing("_", with: "/")
        while text.utf8.count % 4 != 0 { text += "=" }
        return Data(base64Encoded: text).map { Array($0) }
    }
}

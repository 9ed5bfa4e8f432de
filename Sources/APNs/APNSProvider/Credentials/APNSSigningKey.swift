package import Crypto
public import Foundation
import PushClock
import PushModel
import Synchronization

/// The key with which a team signs its provider tokens: the `.p8` file that Apple issues.
public struct APNSSigningKey: Sendable {
    /// The key id: ten characters, from the key's page or the name of its file (`AuthKey_ABC123DEFG.p8`).
    public let keyID: String
    /// The team id: ten characters, from the membership page.
    public let teamID: String
    private let key: P256.Signing.PrivateKey
    /// The provider token that all clients of this key use, of whatever environment and app: APNs limits new tokens by key.
    let token = SharedProviderToken()

    /// An error for a text that is not a signing key.
    public struct Unreadable: Error, CustomStringConvertible {
        public var description: String
    }

    /// `p8` is the text of the file: PKCS#8 in PEM (`BEGIN PRIVATE KEY`), P-256, not encrypted. Line breaks may be
    /// missing or written as `\n`.
    /// - Throws: ``Unreadable`` if it is anything else, or an id has characters other than letters and digits.
    public init(p8: String, keyID: String, teamID: String) throws(Unreadable) {
        for (name, id) in [("key id", keyID), ("team id", teamID)] where !Self.isID(id) {
            throw Unreadable(description: "The \(name) is '\(id)'; expected ten letters and digits.")
        }
        do {
            key = try P256.Signing.PrivateKey(rawRepresentation: try SigningKeyText(p8).scalar)
        } catch {
            throw Unreadable(
                description: "The key '\(keyID)' cannot be read: \(error). "
                    + "Expected the text of a .p8 file: '-----BEGIN PRIVATE KEY-----', P-256, without a passphrase."
            )
        }
        self.keyID = keyID
        self.teamID = teamID
    }

    /// Whether the text is a valid id. Apple's have ten characters; a gateway may name its own keys freely.
    private static func isID(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(\.isLetterOrDigit) }

    /// The SHA-256 of the public key, which identifies the key pair.
    package var fingerprint: [UInt8] { Array(SHA256.hash(data: key.publicKey.rawRepresentation)) }

    /// The provider token in use, with the date when it was signed; nil before the first push. It is a secret.
    package var tokenInUse: (text: String, date: Date)? { token.latest }

    /// Uses a provider token that another process has signed with this key, unless it is too old.
    package func use(_ text: String, signedAt date: Date) { token.use(text, signedAt: date) }

    /// Returns a JSON Web Token (RFC 7519) signed with ES256, as Apple requires.
    ///
    /// Source: Apple, "Establishing a token-based connection to APNs", read October 2026.
    /// `date` is the value of `iat`, truncated to whole seconds.
    public func token(issuedAt date: Date) throws -> String {
        let header = #"{"alg":"ES256","kid":"\#(keyID)"}"#
        let claims = #"{"iss":"\#(teamID)","iat":\#(Int64(date.timeIntervalSince1970.rounded(.down)))}"#
        return try token(header: header, claims: claims)
    }

    /// Signs any header and claims, also such as APNs refuses. `signature` returns the octets of the signature, R and S by default.
    package func token(
        header: String,
        claims: String,
        signature: (P256.Signing.ECDSASignature) -> Data = \.rawRepresentation
    ) throws -> String {
        let signed = Self.base64URL(Data(header.utf8)) + "." + Self.base64URL(Data(claims.utf8))
        return signed + "." + Self.base64URL(signature(try key.signature(for: Data(signed.utf8))))
    }

    /// Encodes base64url (RFC 4648, section 5) without padding.
    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

/// The provider token that a client uses, replaced when it is 50 minutes old.
///
/// APNs refuses tokens older than an hour, and new ones more often than every 20 minutes. Source: Apple, "Establishing a
/// token-based connection to APNs", read October 2026.
struct ProviderTokens: Sendable {
    static let lifetime = Duration.seconds(50 * 60)

    struct Token: Hashable, Sendable {
        var text: String
        /// The number of the token among this client's tokens.
        var number: Int32
        fileprivate var made: Duration
    }

    private let key: APNSSigningKey?
    private let clock: any CivilClock
    private var current: Token?
    private var number: Int32 = 0

    /// `key` is nil with a certificate, which replaces tokens.
    init(key: APNSSigningKey?, clock: any CivilClock) {
        self.key = key
        self.clock = clock
    }

    /// - Returns: nil if none is needed.
    mutating func token(at now: Duration) throws -> Token? {
        guard let key else { return nil }
        if let current, now - current.made < Self.lifetime { return current }
        let date = clock.date
        let shared = try key.token.text(at: date) { try key.token(issuedAt: date) }
        number += 1
        let token = Token(text: shared.text, number: number, made: now - .seconds(date.timeIntervalSince(shared.date)))
        current = token
        return token
    }

    /// Discards a token that APNs reports as expired, unless it has been replaced already.
    mutating func renew(insteadOf number: Int32) {
        guard let current, current.number == number else { return }
        key?.token.discard(current.text)
        self.current = nil
    }
}

/// The latest provider token of a key.
///
/// A class, so that all copies of the key share it.
final class SharedProviderToken: Sendable {
    private struct Signed {
        var text: String
        var date: Date
    }

    private let signed = Mutex<Signed?>(nil)

    var latest: (text: String, date: Date)? { signed.withLock { $0.map { ($0.text, $0.date) } } }

    func use(_ text: String, signedAt date: Date) { signed.withLock { $0 = Signed(text: text, date: date) } }

    /// Returns the token in use at a date, with the date when it was signed; `sign` makes a new one if there is none, or it is too old.
    func text(at date: Date, sign: () throws -> String) throws -> (text: String, date: Date) {
        try signed.withLock { latest in
            let lifetime = ProviderTokens.lifetime / .seconds(1)
            if let latest, (0..<lifetime).contains(date.timeIntervalSince(latest.date)) {
                return (latest.text, latest.date)
            }
            let new = Signed(text: try sign(), date: date)
            latest = new
            return (new.text, new.date)
        }
    }

    /// Forgets a token, unless it has been replaced already.
    func discard(_ text: String) { signed.withLock { if $0?.text == text { $0 = nil } } }
}

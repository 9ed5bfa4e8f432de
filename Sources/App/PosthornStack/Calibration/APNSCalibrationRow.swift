import APNSProvider
import Crypto
import Foundation

/// A row of the comparison with APNs: a correct push to a random device token, with deviations.
package struct APNSCalibrationRow: Sendable {
    /// The input that a row needs besides a credential.
    package enum Needs: String, Sendable {
        case nothing, key, certificate
        /// A device token of one's own: the push may be accepted.
        case token
        /// The same, for a push that has to be refused.
        case refusedToken
        /// A device token of the app in the other environment.
        case otherToken = "other-token"

        /// The option that has it.
        package var option: String {
            switch self {
            case .nothing, .token, .otherToken: rawValue
            case .refusedToken: "token"
            case .key: "p8"
            case .certificate: "p12"
            }
        }
    }

    /// The connection of a row, and the facts about it that are compared besides its fate.
    package enum Connection: Sendable {
        /// That of the row before.
        case shared
        /// One of its own.
        case fresh
        /// One of its own, with its stream limit before and after.
        case streams
        /// One of its own, with the other settings.
        case settings
        /// One of its own, which is idle for a while before the push.
        case idle
    }

    /// A deviation. In texts, a word in braces stands for a value of the server: `{topic}`, `{token}` (random), `{device}`,
    /// `{DEVICE}`, `{other}`, `{jwt}`, `{key}`, `{team}` and `{now}`.
    enum Change: Sendable {
        case method(String)
        case path(String)
        /// Another value of a field, or none.
        case field(String, String?)
        /// A further field of the name.
        case again(String, String)
        case payload(String)
        /// A JSON object of this size.
        case bytes(Int)
        case jwt(JWT)
    }

    /// A provider token.
    struct JWT: Sendable {
        enum Signature: Sendable { case plain, der, truncated, none, ofAnotherKey }

        var header = #"{"alg":"ES256","kid":"{key}"}"#
        var claims = #"{"iss":"{team}","iat":{now}}"#
        /// The age of `{now}` in seconds.
        var age = 0
        var signature = Signature.plain

        func text(signedWith key: APNSSigningKey, at date: Date) throws -> String {
            func filled(_ text: String) -> String {
                text.filling(["key": key.keyID, "team": key.teamID, "now": "\(Int(date.timeIntervalSince1970) - age)"])
            }
            let signer = signature == .ofAnotherKey ? try APNSSigningKey.random(like: key) : key
            let token = try signer.token(header: filled(header), claims: filled(claims)) {
                signature == .der ? $0.derRepresentation : $0.rawRepresentation
            }
            switch signature {
            case .truncated: return String(token.dropLast(8))
            case .none: return String(token[...(token.lastIndex(of: ".") ?? token.startIndex)])
            default: return token
            }
        }
    }

    package var name: String
    package var needs = Needs.nothing
    var changes: [Change]
    /// The pushes before it on the same connection.
    var before: [[Change]] = []
    package var connection = Connection.shared

    /// The number of its requests.
    package var requests: Int { before.count + 1 }

    /// Creates a row, whose name is made from the changes if none is given.
    init(
        _ changes: [Change],
        _ needs: Needs = .nothing,
        named name: String? = nil,
        after before: [[Change]] = [],
        on connection: Connection = .shared
    ) {
        self.changes = changes
        self.needs = needs
        self.before = before
        self.name = name ?? changes.map(\.name).joined(separator: ", ")
        let mustBeAlone = !before.isEmpty || changes.contains(where: \.isAboutCredential)
        self.connection = connection == .shared && mustBeAlone ? .fresh : connection
    }
}

extension APNSCalibrationRow.Change {
    var name: String {
        switch self {
        case .method(let method): "method \(method)"
        case .path(let path): "path \(path.shortened)"
        case .field(let name, nil): "no \(name)"
        case .field(let name, let value?): "\(name): \(value.isEmpty ? "empty" : value.shortened)"
        case .again(let name, _): "\(name) twice"
        case .payload(let text): "payload \(text.isEmpty ? "empty" : text.shortened)"
        case .bytes(let count): "payload of \(count) bytes"
        case .jwt: "another provider token"
        }
    }

    fileprivate var isAboutCredential: Bool {
        switch self {
        case .jwt, .field("authorization", _), .again("authorization", _): true
        default: false
        }
    }
}

extension String {
    /// The text, or its length if it is long.
    fileprivate var shortened: String {
        guard utf8.count <= 56 else { return "of \(utf8.count) bytes" + (utf8.count == count ? "" : ", not ASCII") }
        return escaped
    }

    /// The text with everything beyond printed ASCII written out.
    private var escaped: String {
        unicodeScalars.map { (0x20..<0x7F).contains($0.value) ? String($0) : $0.escaped(asASCII: true) }.joined()
    }

    /// Replaces `{name}` by the value of the name.
    func filling(_ values: [String: String]) -> String {
        contains("{") ? values.reduce(self) { $0.replacing("{\($1.key)}", with: $1.value) } : self
    }
}

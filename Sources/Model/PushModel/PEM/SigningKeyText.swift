/// The text of a `.p8` file: a private key on the curve P-256.
///
/// Apple issues PKCS#8. What `openssl` makes of such a key is read as well: SEC1 (`EC PRIVATE KEY`), and a curve that is written out.
package struct SigningKeyText: Hashable, Sendable {
    /// The private key as a number of 32 bytes. Whether it is in the curve's range is not checked.
    package let scalar: [UInt8]

    /// Describes, as a clause, a text that is no such key.
    package struct Problem: Error, Hashable, CustomStringConvertible {
        package var description: String
    }

    package init(_ text: String) throws(Problem) {
        let bytes = Array(text.utf8)
        // A certificate's key is not one for tokens, although it may look like one.
        guard !text.contains("BEGIN CERTIFICATE-----") else { throw Problem(description: "this is a certificate") }
        let blocks: [PEMBlock]
        do { blocks = try PEMBlock.blocks(in: bytes) } catch { throw Problem(description: error.description) }
        guard let key = blocks.first(where: \.isPrivateKey) else {
            throw Problem(description: blocks.first.map(Self.name) ?? Self.name(of: bytes))
        }
        guard !key.isEncrypted else {
            throw Problem(description: "the key is encrypted; 'openssl pkey -in FILE -out NEW.p8' decrypts it")
        }
        guard key.label != "OPENSSH PRIVATE KEY" else { throw Problem(description: "it is a key of OpenSSH") }
        scalar = try Self.scalar(key.bytes)
    }

    private static func scalar(_ bytes: [UInt8]) throws(Problem) -> [UInt8] {
        var rest = bytes[...]
        let damaged = Problem(description: "the key is damaged or cut off")
        guard let parts = DERElement(from: &rest)?.elements, parts.count >= 3, parts[0].tag == DERElement.integer else {
            throw damaged
        }
        switch parts[1].tag {
        case DERElement.octets: return try scalar(sec1: parts, on: nil)
        case DERElement.integer: throw Problem(description: Self.other("an RSA key"))
        case DERElement.sequence: break
        default: throw damaged
        }
        // PKCS#8 (RFC 5958): version, algorithm, key.
        guard let algorithm = parts[1].elements, let kind = algorithm.first, parts[2].tag == DERElement.octets else {
            throw damaged
        }
        guard Array(kind.content) == ObjectID.ecPublicKey else {
            throw Problem(description: Self.other(ObjectID.kinds[Array(kind.content)] ?? "a key of another kind"))
        }
        var inner = parts[2].content
        guard let key = DERElement(from: &inner)?.elements, key.count >= 2, key[1].tag == DERElement.octets else {
            throw damaged
        }
        return try scalar(sec1: key, on: algorithm.dropFirst().first)
    }

    /// Reads version, key and, unless they are known, the parameters of the curve (RFC 5915, section 3).
    private static func scalar(sec1 parts: [DERElement], on parameters: DERElement?) throws(Problem) -> [UInt8] {
        let written = parts.first { $0.tag == 0xA0 }?.elements?.first
        if let curve = parameters ?? written, !isP256(curve) {
            let name = ObjectID.curves[Array(curve.content)].map { "on \($0)" } ?? "on another curve"
            throw Problem(description: Self.other("a key \(name)"))
        }
        let digits = parts[1].content.drop { $0 == 0 }
        guard digits.count <= 32 else { throw Problem(description: Self.other("a key on a larger curve")) }
        return Array(repeating: 0, count: 32 - digits.count) + digits
    }

    /// Whether the parameters name P-256, or describe it by its prime and its order (SEC 1, appendix C.2).
    private static func isP256(_ curve: DERElement) -> Bool {
        guard curve.tag == DERElement.sequence else { return Array(curve.content) == ObjectID.p256 }
        guard let parts = curve.elements, parts.count >= 5, let prime = parts[1].elements?.last else { return false }
        return prime.content.drop { $0 == 0 }.elementsEqual(ObjectID.prime)
            && parts[4].content.drop { $0 == 0 }.elementsEqual(ObjectID.order)
    }

    private static func other(_ found: String) -> String { "not an elliptic-curve key on P-256: it is \(found)" }

    private static func name(_ block: PEMBlock) -> String {
        switch block.label {
        case "PUBLIC KEY", "RSA PUBLIC KEY": "this is a public key"
        default: "this is a \(block.label.lowercased())"
        }
    }

    /// Returns what a text without PEM is. Octets that are not UTF-8 may have become U+FFFD on the way.
    private static func name(of bytes: [UInt8]) -> String {
        let start = bytes.prefix(16)
        if bytes.isEmpty { return "it is empty" }
        if start.first == DERElement.sequence, start.contains(where: { $0 < 9 || $0 > 0x7F }) {
            return "it is binary (DER, or PKCS#12); 'openssl pkey -in FILE -out NEW.p8' writes a key as text"
        }
        if start.contains(0) { return "it is text in UTF-16; save it as UTF-8" }
        return "no 'BEGIN PRIVATE KEY' found"
    }

    private enum ObjectID {
        static let ecPublicKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
        static let p256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
        static let curves: [[UInt8]: String] = [
            [0x2B, 0x81, 0x04, 0x00, 0x22]: "P-384", [0x2B, 0x81, 0x04, 0x00, 0x23]: "P-521",
            [0x2B, 0x81, 0x04, 0x00, 0x21]: "P-224", [0x2B, 0x81, 0x04, 0x00, 0x0A]: "secp256k1",
        ]
        static let kinds: [[UInt8]: String] = [
            [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]: "an RSA key",
            [0x2B, 0x65, 0x70]: "an Ed25519 key", [0x2B, 0x65, 0x6E]: "an X25519 key",
            [0x2A, 0x86, 0x48, 0xCE, 0x38, 0x04, 0x01]: "a DSA key",
        ]
        /// 2^256 - 2^224 + 2^192 + 2^96 - 1
        static let prime: [UInt8] =
            [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1] + Array(repeating: 0, count: 12) + Array(repeating: 0xFF, count: 12)
        static let order: [UInt8] = [
            0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6,
            0xFA, 0xAD,
            0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
        ]
    }
}

import NetworkSupport
import SwiftASN1

/// The parts of a PKCS#12 bundle that are visible without its pass phrase (RFC 7292, section 4).
///
/// Private keys are visible as bags, each encrypted by itself; certificates are usually encrypted as a whole.
struct PKCS12Contents {
    typealias Unreadable = APNSCertificate.Unreadable

    /// A private key in PKCS#8.
    enum Key {
        case plain([UInt8])
        case encrypted([UInt8])
    }

    private(set) var keys: [Key] = []
    /// The bags of unencrypted certificates.
    private(set) var certificateBags: [[UInt8]] = []
    /// The encrypted parts.
    private(set) var encryptedParts: [[UInt8]] = []

    /// The largest number of key derivation iterations. Export tools use 1 to 100,000, NSS 600,000, which takes about half a
    /// second; BoringSSL itself would accept 100 million.
    static let iterationLimit = 600_000
    /// The largest number of keys, certificates and encrypted parts. An exported identity has two, plus one for each authority
    /// above it.
    static let bagLimit = 8

    init(_ bytes: [UInt8]) throws(Unreadable) {
        do {
            let bundle = try BER.parse(bytes).children
            guard bundle.count >= 2 else { throw Malformed() }
            for part in try BER.parse(try Self.data(in: bundle[1]) ?? []).children { try read(part) }
        } catch let error as Unreadable {
            throw error
        } catch {
            throw Unreadable(
                "The file is not a PKCS#12 bundle of certificate and key. "
                    + "Expected what Keychain Access exports as .p12, or 'openssl pkcs12 -export' writes."
            )
        }
    }

    private struct Malformed: Error {}

    private mutating func read(_ part: ASN1Node) throws {
        guard let data = try Self.data(in: part) else {
            try Self.checkIterations(in: part)
            // RFC 5652, section 8: version; then type, algorithm and content.
            let content = part.children.last?.children.first?.children.last?.children ?? []
            if content.count > 1 { try Self.check(KeyEncryption.unreadable(algorithm: content[1])) }
            encryptedParts.append(Array(part.encodedBytes))
            return try checkCount()
        }
        for bag in try BER.parse(data).children {
            guard bag.children.count >= 2, let value = bag.children[1].children.first else { throw Malformed() }
            switch try ASN1ObjectIdentifier(berEncoded: bag.children[0]) {
            case PKCS12.keyBag: keys.append(.plain(Array(value.encodedBytes)))
            case PKCS12.shroudedKeyBag:
                try Self.checkIterations(in: value)
                try Self.check(KeyEncryption.unreadable(in: value))
                keys.append(.encrypted(Array(value.encodedBytes)))
            case PKCS12.certificateBag: certificateBags.append(Array(bag.encodedBytes))
            default: break
            }
            try checkCount()
        }
    }

    private static func check(_ unreadable: String?) throws(Unreadable) {
        guard let unreadable else { return }
        throw Unreadable(
            "The bundle is encrypted with \(unreadable), which cannot be decrypted here. Export it again, or write it anew: "
                + "'openssl pkcs12 -in FILE -nodes -out ALL.pem', then 'openssl pkcs12 -export -in ALL.pem -out NEW.p12'."
        )
    }

    private func checkCount() throws(Unreadable) {
        try Self.check(bags: keys.count + certificateBags.count + encryptedParts.count)
    }

    static func check(bags count: Int) throws(Unreadable) {
        guard count <= bagLimit else {
            throw Unreadable(
                "The bundle holds \(count) keys, certificates and encrypted parts, or more; expected at most \(bagLimit). "
                    + "Export the certificate for pushes and its key alone."
            )
        }
    }

    /// Checks that no number in the parameters of an encryption exceeds the limit, wherever it is: iterations are the largest.
    private static func checkIterations(in node: ASN1Node) throws(Unreadable) {
        if node.identifier == .integer, case .primitive(let bytes) = node.content {
            let digits = bytes.drop { $0 == 0 }
            let number = digits.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard digits.count <= 8, number <= UInt64(iterationLimit) else {
                throw Unreadable(
                    "The bundle's encryption asks for \(digits.count > 8 ? "more than 2^64" : "\(number)") iterations; expected "
                        + "at most \(iterationLimit). Export it again, or with 'openssl pkcs12 -export -iter 2048'."
                )
            }
        }
        for child in node.children { try checkIterations(in: child) }
    }

    /// Returns the octets of a `ContentInfo` of type data; nil for an encrypted one.
    private static func data(in contentInfo: ASN1Node) throws -> ArraySlice<UInt8>? {
        let parts = contentInfo.children
        guard parts.count == 2, let content = parts[1].children.first else { throw Malformed() }
        guard try ASN1ObjectIdentifier(berEncoded: parts[0]) == PKCS12.data else { return nil }
        return try ASN1OctetString(berEncoded: content).bytes
    }
}

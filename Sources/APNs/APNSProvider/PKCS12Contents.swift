import SwiftASN1

/// What a PKCS#12 bundle is made of, as far as it shows without its pass phrase (RFC 7292, section 4).
///
/// Private keys lie open in it as bags, each encrypted by itself; certificates are mostly encrypted as a whole.
struct PKCS12Contents {
    /// A private key, as PKCS#8 has it.
    enum Key {
        case plain([UInt8])
        case encrypted([UInt8])
    }

    private(set) var keys: [Key] = []
    /// The bags of certificates that are not encrypted.
    private(set) var certificateBags: [[UInt8]] = []
    /// The parts that are encrypted.
    private(set) var encryptedParts: [[UInt8]] = []

    /// Rounds that a key may be derived with. What exports certificates takes 1 to 100,000, NSS 600,000, which takes about half a
    /// second; BoringSSL itself would go through 100 million.
    static let iterationLimit = 600_000
    /// Keys, certificates and encrypted parts. An exported identity has two, and one more for each authority above it.
    static let bagLimit = 8

    init(_ bytes: [UInt8]) throws(APNSCertificate.Unreadable) {
        do {
            let bundle = try BER.parse(bytes).children
            guard bundle.count >= 2 else { throw Malformed() }
            for part in try BER.parse(try Self.data(in: bundle[1]) ?? []).children { try read(part) }
        } catch let error as APNSCertificate.Unreadable {
            throw error
        } catch {
            throw APNSCertificate.Unreadable(
                description: "The file is no PKCS#12 bundle of certificate and key. "
                    + "Expected what Keychain Access exports as .p12, or 'openssl pkcs12 -export' writes."
            )
        }
    }

    private struct Malformed: Error {}

    private mutating func read(_ part: ASN1Node) throws {
        guard let data = try Self.data(in: part) else {
            try Self.checkIterations(in: part)
            encryptedParts.append(Array(part.encodedBytes))
            return try checkCount()
        }
        for bag in try BER.parse(data).children {
            guard bag.children.count >= 2, let value = bag.children[1].children.first else { throw Malformed() }
            switch try ASN1ObjectIdentifier(berEncoded: bag.children[0]) {
            case PKCS12Object.keyBag: keys.append(.plain(Array(value.encodedBytes)))
            case PKCS12Object.shroudedKeyBag:
                try Self.checkIterations(in: value)
                keys.append(.encrypted(Array(value.encodedBytes)))
            case PKCS12Object.certificateBag: certificateBags.append(Array(bag.encodedBytes))
            default: break
            }
            try checkCount()
        }
    }

    private func checkCount() throws(APNSCertificate.Unreadable) {
        try Self.check(bags: keys.count + certificateBags.count + encryptedParts.count)
    }

    static func check(bags count: Int) throws(APNSCertificate.Unreadable) {
        guard count <= bagLimit else {
            throw APNSCertificate.Unreadable(
                description:
                    "The bundle holds \(count) keys, certificates and encrypted parts, or more; expected at most \(bagLimit). "
                    + "Export the certificate for pushes and its key alone."
            )
        }
    }

    /// Wherever the parameters of an encryption lie, no number in them may be larger than the limit: the rounds are the largest.
    private static func checkIterations(in node: ASN1Node) throws(APNSCertificate.Unreadable) {
        if node.identifier == .integer, case .primitive(let bytes) = node.content {
            let digits = bytes.drop { $0 == 0 }
            let number = digits.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard digits.count <= 8, number <= UInt64(iterationLimit) else {
                throw APNSCertificate.Unreadable(
                    description:
                        "The bundle's encryption asks for \(digits.count > 8 ? "more than 2^64" : "\(number)") iterations; expected "
                        + "at most \(iterationLimit). Export it again, or with 'openssl pkcs12 -export -iter 2048'."
                )
            }
        }
        for child in node.children { try checkIterations(in: child) }
    }

    /// The octets of a `ContentInfo` of type data; nil for one that is encrypted.
    private static func data(in contentInfo: ASN1Node) throws -> ArraySlice<UInt8>? {
        let parts = contentInfo.children
        guard parts.count == 2, let content = parts[1].children.first else { throw Malformed() }
        guard try ASN1ObjectIdentifier(berEncoded: parts[0]) == PKCS12Object.data else { return nil }
        return try ASN1OctetString(berEncoded: content).bytes
    }
}

enum PKCS12Object {
    static let data: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 1]
    static let keyBag: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 12, 10, 1, 1]
    static let shroudedKeyBag: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 12, 10, 1, 2]
    static let certificateBag: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 12, 10, 1, 3]
    static let x509Certificate: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 22, 1]
}

extension ASN1Node {
    /// The nodes inside; none for a node of octets.
    var children: [ASN1Node] {
        switch content {
        case .constructed(let nodes): Array(nodes)
        case .primitive: []
        }
    }
}

import SwiftASN1

/// What a PKCS#12 bundle shows without its pass phrase (RFC 7292, section 4).
///
/// Private keys lie open in it as bags, each encrypted by itself; certificates are mostly encrypted as a whole.
struct PKCS12Contents {
    private(set) var hasKey = false
    /// Whether there is a certificate, or an encrypted part in which it may be.
    private(set) var mayHoldCertificate = false

    init(_ bytes: [UInt8]) throws(APNSCertificate.Unreadable) {
        do {
            let bundle = try BER.parse(bytes).children
            guard bundle.count >= 2 else { throw Malformed() }
            for part in try BER.parse(try Self.data(in: bundle[1]) ?? []).children { try read(part) }
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
            mayHoldCertificate = true
            return
        }
        for bag in try BER.parse(data).children {
            guard let kind = bag.children.first else { throw Malformed() }
            switch try ASN1ObjectIdentifier(berEncoded: kind) {
            case Self.keyBag, Self.shroudedKeyBag: hasKey = true
            case Self.certificateBag: mayHoldCertificate = true
            default: break
            }
        }
    }

    /// The octets of a `ContentInfo` of type data; nil for one that is encrypted.
    private static func data(in contentInfo: ASN1Node) throws -> ArraySlice<UInt8>? {
        let parts = contentInfo.children
        guard parts.count == 2, let content = parts[1].children.first else { throw Malformed() }
        guard try ASN1ObjectIdentifier(berEncoded: parts[0]) == data else { return nil }
        return try ASN1OctetString(berEncoded: content).bytes
    }

    private static let data: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 1]
    private static let keyBag: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 12, 10, 1, 1]
    private static let shroudedKeyBag: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 12, 10, 1, 2]
    private static let certificateBag: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 12, 10, 1, 3]
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

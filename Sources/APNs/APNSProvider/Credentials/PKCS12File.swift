import Crypto
import Foundation
import NIOSSL
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

extension ASN1Node {
    /// The child nodes; empty for a node of octets.
    var children: [ASN1Node] {
        switch content {
        case .constructed(let nodes): Array(nodes)
        case .primitive: []
        }
    }
}

/// Opens the parts of a PKCS#12 bundle with BoringSSL, which has all the ciphers for it, including the old ones.
///
/// `NIOSSLPKCS12Bundle` ends the process when no certificate of a bundle belongs to its key, and a bundle may come from
/// anybody. So it never receives the original: the certificates are read from a new bundle that combines the encrypted parts
/// with a key and certificate of our own, which do belong together; the keys are read separately.
/// The bundle's own MAC is not checked: modified parts do not decrypt, or do not match.
struct PKCS12Opener {
    let contents: PKCS12Contents
    let passPhrase: String

    /// - Throws: BoringSSL's error if the pass phrase is wrong.
    func keys() throws -> [NIOSSLPrivateKey] {
        try contents.keys.map { key in
            switch key {
            case .plain(let bytes):
                return try NIOSSLPrivateKey(bytes: bytes, format: .der)
            case .encrypted(let bytes):
                let base64 = Data(bytes).base64EncodedString(options: .lineLength64Characters)
                let pem = "-----BEGIN ENCRYPTED PRIVATE KEY-----\n\(base64)\n-----END ENCRYPTED PRIVATE KEY-----\n"
                return try NIOSSLPrivateKey(bytes: Array(pem.utf8), format: .pem) { set in set(Array(passPhrase.utf8)) }
            }
        }
    }

    /// - Throws: BoringSSL's error if the pass phrase is wrong.
    func certificates() throws -> [NIOSSLCertificate] {
        let passPhrase = Array(passPhrase.utf8)
        do {
            return try certificates(passPhrase, isEmptyAbsent: false)
        } catch  where passPhrase.isEmpty {
            // An empty pass phrase has two encodings.
            return try certificates(passPhrase, isEmptyAbsent: true)
        }
    }

    private func certificates(_ passPhrase: [UInt8], isEmptyAbsent: Bool) throws -> [NIOSSLCertificate] {
        let bytes = try bundle(isEmptyAbsent: isEmptyAbsent)
        // The first belongs to the key, which is ours.
        return Array(try NIOSSLPKCS12Bundle(buffer: bytes, passphrase: passPhrase).certificateChain.dropFirst())
    }

    /// Returns a bundle with the encrypted parts and our own key and certificate (RFC 7292, section 4).
    private func bundle(isEmptyAbsent: Bool) throws -> [UInt8] {
        let key = P256.Signing.PrivateKey()
        // Ours come first: a key in an encrypted part is then one too many, and is refused before it is decrypted. Its iterations
        // are not visible anywhere else, and nothing limits them.
        let first = try DER.sequence { coder in
            try coder.bag(PKCS12.keyBag) { $0.serializeRawBytes(key.derRepresentation) }
            try coder.bag(PKCS12.certificateBag) { coder in
                let certificate = try Self.certificate(of: key)
                try coder.bag(PKCS12.x509Certificate) { try $0.octets(certificate) }
            }
        }
        let last = try DER.sequence { coder in
            for bag in contents.certificateBags { coder.serializeRawBytes(bag) }
        }
        let safe = try DER.sequence { coder in
            try coder.bag(PKCS12.data) { try $0.octets(first) }
            for part in contents.encryptedParts { coder.serializeRawBytes(part) }
            try coder.bag(PKCS12.data) { try $0.octets(last) }
        }
        let secret = isEmptyAbsent ? [] : passPhrase.bigEndianUTF16 + [0, 0]
        let salt: [UInt8] = Array(repeating: 1, count: 8)
        return try PKCS12.bundle(of: safe, by: Insecure.SHA1.self, [1, 3, 14, 3, 2, 26], secret: secret, salt: salt)
    }

    /// Returns a certificate of which only the key matters.
    private static func certificate(of key: P256.Signing.PrivateKey) throws -> [UInt8] {
        let ecdsaWithSHA256: ASN1ObjectIdentifier = [1, 2, 840, 10045, 4, 3, 2]
        let time = try UTCTime(year: 2020, month: 1, day: 1, hours: 0, minutes: 0, seconds: 0)
        let content = try DER.sequence { coder in
            try coder.tagged(0) { try $0.serialize(2) }
            try coder.serialize(1)
            try coder.sequence { try $0.serialize(ecdsaWithSHA256) }
            try coder.sequence { _ in }
            try coder.sequence { coder in
                try coder.serialize(time)
                try coder.serialize(time)
            }
            try coder.sequence { _ in }
            coder.serializeRawBytes(key.publicKey.derRepresentation)
        }
        let signature = try key.signature(for: content).derRepresentation
        return try DER.sequence { coder in
            coder.serializeRawBytes(content)
            try coder.sequence { try $0.serialize(ecdsaWithSHA256) }
            try coder.serialize(ASN1BitString(bytes: Array(signature)[...]))
        }
    }
}

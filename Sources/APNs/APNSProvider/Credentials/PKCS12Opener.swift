import Crypto
import Foundation
import NIOSSL
import SwiftASN1

/// Opens the parts of a PKCS#12 bundle with BoringSSL, which has all the ciphers for it, including the old ones.
///
/// `NIOSSLPKCS12Bundle` ends the process when no certificate of a bundle belongs to its key, and a bundle may come from
/// anybody. So it never receives the original: the certificates are read from a new bundle that combines the encrypted parts
/// with a key and certificate of our own, which do belong together; the keys are read separately.
/// The bundle's own MAC is not checked: modified parts do not decrypt, or do not match.
struct PKCS12Opener {
    private let contents: PKCS12Contents
    private let passPhrase: String

    init(_ contents: PKCS12Contents, passPhrase: String) {
        self.contents = contents
        self.passPhrase = passPhrase
    }

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
        let own = [
            try Self.bag(PKCS12Object.keyBag, Array(key.derRepresentation)),
            try Self.bag(
                PKCS12Object.certificateBag,
                DERBytes.sequence(
                    try DERBytes.object(PKCS12Object.x509Certificate),
                    DERBytes.context(0, DERBytes.octets(try Self.certificate(of: key)))
                )
            ),
        ]
        // Ours come first: a key in an encrypted part is then one too many, and is refused before it is decrypted. Its iterations
        // are not visible anywhere else, and nothing limits them.
        let first = try Self.data(DERBytes.sequence(own.flatMap(\.self)))
        let last = try Self.data(DERBytes.sequence(contents.certificateBags.flatMap(\.self)))
        let safe = DERBytes.sequence(first + contents.encryptedParts.flatMap(\.self) + last)
        return DERBytes.sequence(
            DERBytes.integer(3),
            try Self.data(safe),
            try mac(of: safe, isEmptyAbsent: isEmptyAbsent)
        )
    }

    /// Returns a certificate of which only the key matters.
    private static func certificate(of key: P256.Signing.PrivateKey) throws -> [UInt8] {
        let algorithm = DERBytes.sequence(try DERBytes.object([1, 2, 840, 10045, 4, 3, 2]))
        let time = DERBytes.value(0x17, Array("200101000000Z".utf8))
        let name = DERBytes.sequence()
        let content = DERBytes.sequence(
            DERBytes.context(0, DERBytes.integer(2)),
            DERBytes.integer(1),
            algorithm,
            name,
            DERBytes.sequence(time, time),
            name,
            Array(key.publicKey.derRepresentation)
        )
        let signature = try key.signature(for: content).derRepresentation
        return DERBytes.sequence(content, algorithm, DERBytes.value(0x03, [0] + signature))
    }

    private static func bag(_ kind: ASN1ObjectIdentifier, _ value: [UInt8]) throws -> [UInt8] {
        DERBytes.sequence(try DERBytes.object(kind), DERBytes.context(0, value))
    }

    private static func data(_ content: [UInt8]) throws -> [UInt8] {
        DERBytes.sequence(
            try DERBytes.object(PKCS12Object.data),
            DERBytes.context(0, DERBytes.octets(content))
        )
    }

    /// The MAC by RFC 7292, appendices A and B, for one iteration of SHA-1 and a key as long as its digest.
    private func mac(of safe: [UInt8], isEmptyAbsent: Bool) throws -> [UInt8] {
        let blockSize = 64
        func filled(_ bytes: [UInt8]) -> [UInt8] {
            let count = (bytes.count + blockSize - 1) / blockSize * blockSize
            return (0..<count).map { bytes[$0 % bytes.count] }
        }
        let salt: [UInt8] = Array(repeating: 1, count: 8)
        let text: [UInt8] = (Array(passPhrase.utf16) + [0]).flatMap { unit -> [UInt8] in
            [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        }
        let seed =
            Array(repeating: UInt8(3), count: blockSize) + filled(salt) + (isEmptyAbsent ? [] : filled(text))
        let key = SymmetricKey(data: Insecure.SHA1.hash(data: seed))
        let code = HMAC<Insecure.SHA1>.authenticationCode(for: safe, using: key)
        let algorithm = DERBytes.sequence(try DERBytes.object([1, 3, 14, 3, 2, 26]), DERBytes.value(0x05, []))
        return DERBytes.sequence(
            DERBytes.sequence(algorithm, DERBytes.octets(Array(code))),
            DERBytes.octets(salt)
        )
    }
}

/// The few forms of DER (X.690) that a bundle needs.
private enum DERBytes {
    static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        var length: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            length.insert(UInt8(rest & 0xFF), at: 0)
            rest >>= 8
        }
        if content.count < 0x80 { return [tag, UInt8(content.count)] + content }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }

    static func sequence(_ parts: [UInt8]...) -> [UInt8] { value(0x30, parts.flatMap(\.self)) }
    static func octets(_ content: [UInt8]) -> [UInt8] { value(0x04, content) }
    static func integer(_ number: UInt8) -> [UInt8] { value(0x02, [number]) }
    static func context(_ number: UInt8, _ content: [UInt8]) -> [UInt8] { value(0xA0 | number, content) }

    static func object(_ identifier: ASN1ObjectIdentifier) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(identifier)
        return serializer.serializedBytes
    }
}

import Crypto
import Foundation
import NIOSSL
import NetworkSupport
import SwiftASN1

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
        return try PKCS12.bundle(of: safe, by: Insecure.SHA1.self, "1.3.14.3.2.26", secret: secret, salt: salt)
    }

    /// Returns a certificate of which only the key matters.
    private static func certificate(of key: P256.Signing.PrivateKey) throws -> [UInt8] {
        let ecdsaWithSHA256: ASN1ObjectIdentifier = "1.2.840.10045.4.3.2"
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

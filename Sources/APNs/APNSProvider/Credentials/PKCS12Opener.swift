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
        let first = try DER.Serializer.bytes { coder in
            try coder.sequence { coder in
                try coder.bag(PKCS12Object.keyBag) { $0.serializeRawBytes(key.derRepresentation) }
                try coder.bag(PKCS12Object.certificateBag) { coder in
                    try coder.sequence { coder in
                        try coder.serialize(PKCS12Object.x509Certificate)
                        let certificate = try Self.certificate(of: key)
                        try coder.tagged(0) { try $0.octets(certificate) }
                    }
                }
            }
        }
        let last = try DER.Serializer.bytes { coder in
            try coder.sequence { coder in
                for bag in contents.certificateBags { coder.serializeRawBytes(bag) }
            }
        }
        let safe = try DER.Serializer.bytes { coder in
            try coder.sequence { coder in
                try coder.data(first)
                for part in contents.encryptedParts { coder.serializeRawBytes(part) }
                try coder.data(last)
            }
        }
        return try DER.Serializer.bytes { coder in
            try coder.sequence { coder in
                try coder.serialize(3)
                try coder.data(safe)
                try writeMAC(of: safe, isEmptyAbsent: isEmptyAbsent, to: &coder)
            }
        }
    }

    /// Returns a certificate of which only the key matters.
    private static func certificate(of key: P256.Signing.PrivateKey) throws -> [UInt8] {
        let ecdsaWithSHA256: ASN1ObjectIdentifier = [1, 2, 840, 10045, 4, 3, 2]
        let time = try UTCTime(year: 2020, month: 1, day: 1, hours: 0, minutes: 0, seconds: 0)
        let content = try DER.Serializer.bytes { coder in
            try coder.sequence { coder in
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
        }
        let signature = try key.signature(for: content).derRepresentation
        return try DER.Serializer.bytes { coder in
            try coder.sequence { coder in
                coder.serializeRawBytes(content)
                try coder.sequence { try $0.serialize(ecdsaWithSHA256) }
                try coder.serialize(ASN1BitString(bytes: Array(signature)[...]))
            }
        }
    }

    /// The MAC by RFC 7292, appendices A and B, for one iteration of SHA-1 and a key as long as its digest.
    private func writeMAC(of safe: [UInt8], isEmptyAbsent: Bool, to coder: inout DER.Serializer) throws {
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
        try coder.sequence { coder in
            try coder.sequence { coder in
                try coder.sequence { coder in
                    try coder.serialize([1, 3, 14, 3, 2, 26] as ASN1ObjectIdentifier)
                    try coder.serialize(ASN1Null())
                }
                try coder.octets(Array(code))
            }
            try coder.octets(salt)
        }
    }
}

extension DER.Serializer {
    fileprivate static func bytes(_ write: (inout DER.Serializer) throws -> Void) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try write(&serializer)
        return serializer.serializedBytes
    }

    fileprivate mutating func sequence(_ write: (inout DER.Serializer) throws -> Void) throws {
        try appendConstructedNode(identifier: .sequence, write)
    }

    fileprivate mutating func tagged(_ number: UInt, _ write: (inout DER.Serializer) throws -> Void) throws {
        try serialize(explicitlyTaggedWithTagNumber: number, tagClass: .contextSpecific, write)
    }

    fileprivate mutating func octets(_ content: [UInt8]) throws {
        try serialize(ASN1OctetString(contentBytes: content[...]))
    }

    /// A `SafeBag` without attributes.
    fileprivate mutating func bag(
        _ kind: ASN1ObjectIdentifier,
        _ write: (inout DER.Serializer) throws -> Void
    ) throws {
        try sequence { coder in
            try coder.serialize(kind)
            try coder.tagged(0, write)
        }
    }

    /// A `ContentInfo` of plain data.
    fileprivate mutating func data(_ content: [UInt8]) throws {
        try sequence { coder in
            try coder.serialize(PKCS12Object.data)
            try coder.tagged(0) { try $0.octets(content) }
        }
    }
}

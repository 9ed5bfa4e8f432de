import Crypto
import CryptoExtras
import Foundation
import SwiftASN1
import X509

/// A push certificate and its key in one encrypted file: the `.p12` that Keychain Access exports (RFC 7292).
///
/// The encryption is OpenSSL 3's: AES-256-CBC with a key from PBKDF2 (PBES2, RFC 8018), and a MAC with SHA-256.
package struct PKCS12Bundle: Sendable {
    private let certificate: [UInt8]
    private let key: [UInt8]
    /// The name that programs show.
    private let name: String

    /// The number of PBKDF2 iterations; OpenSSL 3 uses the same.
    private static let iterations = 2048

    /// - Throws: if the key does not belong to the certificate.
    package init(_ certificate: PushCertificate, key: CertificateKey) throws {
        guard certificate.certificate.publicKey == key.publicKey else {
            throw DeveloperProblem(
                "The private key does not belong to the certificate '\(certificate.commonName ?? certificate.subject)'. "
                    + "Expected the key with which the certificate's request was made."
            )
        }
        self.certificate = try certificate.der()
        self.key = key.pkcs8
        name = certificate.commonName ?? certificate.subject
    }

    /// Returns the bytes of the file.
    ///
    /// `random` is the source of salts.
    /// - Throws: if the password has characters outside ASCII, which programs read in different ways.
    package func encoded(
        password: String,
        using random: inout some RandomNumberGenerator
    ) throws -> [UInt8] {
        guard password.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
            throw DeveloperProblem(
                "The password has characters outside ASCII, which programs read in different ways; expected letters, "
                    + "digits and the like."
            )
        }
        let certificates = try Encryption(password: password, iterations: Self.iterations, using: &random)
        let keys = try Encryption(password: password, iterations: Self.iterations, using: &random)
        let salt = random.octets(8)
        let safe = try DER.Serializer.bytes { coder in
            try coder.sequence { coder in
                try encrypted(try certificateBags(), by: certificates, &coder)
                try Self.data(try keyBags(keys), &coder)
            }
        }
        let mac = Self.mac(of: safe, password: password, salt: salt, iterations: Self.iterations)
        return try DER.Serializer.bytes { coder in
            try coder.sequence { coder in
                try coder.serialize(3)
                try Self.data(safe, &coder)
                try coder.sequence { coder in
                    try coder.sequence { coder in
                        try coder.algorithm(ObjectID.sha256) { $0.serializeNull() }
                        try coder.serialize(ASN1OctetString(contentBytes: mac[...]))
                    }
                    try coder.serialize(ASN1OctetString(contentBytes: salt[...]))
                    try coder.serialize(Self.iterations)
                }
            }
        }
    }

    // MARK: Parts

    private func certificateBags() throws -> [UInt8] {
        try bags(ObjectID.certificateBag) { coder in
            try coder.sequence { coder in
                try coder.serialize(ObjectID.x509Certificate)
                try coder.tagged(0) { try $0.serialize(ASN1OctetString(contentBytes: certificate[...])) }
            }
        }
    }

    private func keyBags(_ encryption: Encryption) throws -> [UInt8] {
        let sealed = try encryption.seal(key)
        return try bags(ObjectID.shroudedKeyBag) { coder in
            try coder.sequence { coder in
                try encryption.writeAlgorithm(&coder)
                try coder.serialize(ASN1OctetString(contentBytes: sealed[...]))
            }
        }
    }

    /// One bag, with the friendly name and the local key id that links certificate and key.
    private func bags(
        _ kind: ASN1ObjectIdentifier,
        _ write: (inout DER.Serializer) throws -> Void
    ) throws -> [UInt8] {
        try DER.Serializer.bytes { coder in
            try coder.sequence { coder in
                try coder.sequence { coder in
                    try coder.serialize(kind)
                    try coder.tagged(0, write)
                    try coder.serializeSetOf([
                        Attribute(kind: ObjectID.friendlyName) { coder in
                            coder.appendPrimitiveNode(identifier: .bmpString) { $0 += name.bigEndianUTF16 }
                        },
                        Attribute(kind: ObjectID.localKeyID) { coder in
                            let digest = Array(Insecure.SHA1.hash(data: certificate))
                            try coder.serialize(ASN1OctetString(contentBytes: digest[...]))
                        },
                    ])
                }
            }
        }
    }

    /// A `ContentInfo` of plain data.
    private static func data(_ content: [UInt8], _ coder: inout DER.Serializer) throws {
        try coder.sequence { coder in
            try coder.serialize(ObjectID.data)
            try coder.tagged(0) { try $0.serialize(ASN1OctetString(contentBytes: content[...])) }
        }
    }

    /// A `ContentInfo` of encrypted data.
    private func encrypted(_ content: [UInt8], by encryption: Encryption, _ coder: inout DER.Serializer) throws {
        let sealed = try encryption.seal(content)
        try coder.sequence { coder in
            try coder.serialize(ObjectID.encryptedData)
            try coder.tagged(0) { coder in
                try coder.sequence { coder in
                    try coder.serialize(0)
                    try coder.sequence { coder in
                        try coder.serialize(ObjectID.data)
                        try encryption.writeAlgorithm(&coder)
                        let tag = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
                        coder.appendPrimitiveNode(identifier: tag) { $0 += sealed }
                    }
                }
            }
        }
    }

    // MARK: Secrets

    /// The MAC by RFC 7292, appendix B.2, with a key of SHA-256's output size: 32 octets.
    static func mac(of content: [UInt8], password: String, salt: [UInt8], iterations: Int) -> [UInt8] {
        let blockSize = 64
        func filled(_ bytes: [UInt8]) -> [UInt8] {
            let count = (bytes.count + blockSize - 1) / blockSize * blockSize
            return (0..<count).map { bytes[$0 % bytes.count] }
        }
        // ID 3 derives a MAC key.
        var digest = Array(
            SHA256.hash(
                data: [UInt8](repeating: 3, count: blockSize) + filled(salt) + filled(password.bigEndianUTF16 + [0, 0])
            )
        )
        for _ in 1..<iterations { digest = Array(SHA256.hash(data: digest)) }
        return Array(HMAC<SHA256>.authenticationCode(for: content, using: SymmetricKey(data: digest)))
    }

    /// Encryption by PBES2 (RFC 8018, section 6.2).
    private struct Encryption {
        private let salt: [UInt8]
        private let vector: [UInt8]
        private let iterations: Int
        private let key: SymmetricKey

        init(password: String, iterations: Int, using random: inout some RandomNumberGenerator) throws {
            salt = random.octets(16)
            vector = random.octets(16)
            self.iterations = iterations
            key = try KDF.Insecure.PBKDF2.deriveKey(
                from: Array(password.utf8),
                salt: salt,
                using: .sha256,
                outputByteCount: 32,
                unsafeUncheckedRounds: iterations
            )
        }

        func seal(_ content: [UInt8]) throws -> [UInt8] {
            Array(try AES._CBC.encrypt(content, using: key, iv: AES._CBC.IV(ivBytes: vector)))
        }

        func writeAlgorithm(_ coder: inout DER.Serializer) throws {
            try coder.algorithm(ObjectID.pbes2) { coder in
                try coder.sequence { coder in
                    try coder.algorithm(ObjectID.pbkdf2) { coder in
                        try coder.sequence { coder in
                            try coder.serialize(ASN1OctetString(contentBytes: salt[...]))
                            try coder.serialize(iterations)
                            try coder.algorithm(ObjectID.hmacWithSHA256) { $0.serializeNull() }
                        }
                    }
                    try coder.algorithm(ObjectID.aes256CBC) { coder in
                        try coder.serialize(ASN1OctetString(contentBytes: vector[...]))
                    }
                }
            }
        }
    }

    private struct Attribute: DERSerializable {
        let kind: ASN1ObjectIdentifier
        let write: (inout DER.Serializer) throws -> Void

        func serialize(into coder: inout DER.Serializer) throws {
            try coder.sequence { coder in
                try coder.serialize(kind)
                try coder.appendConstructedNode(identifier: .set) { try write(&$0) }
            }
        }
    }

    private enum ObjectID {
        static let data: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 1]
        static let encryptedData: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 6]
        static let shroudedKeyBag: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 12, 10, 1, 2]
        static let certificateBag: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 12, 10, 1, 3]
        static let x509Certificate: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 22, 1]
        static let friendlyName: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 20]
        static let localKeyID: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 21]
        static let pbes2: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 5, 13]
        static let pbkdf2: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 5, 12]
        static let hmacWithSHA256: ASN1ObjectIdentifier = [1, 2, 840, 113549, 2, 9]
        static let aes256CBC: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 1, 42]
        static let sha256: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 1]
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

    /// An `AlgorithmIdentifier`.
    fileprivate mutating func algorithm(
        _ kind: ASN1ObjectIdentifier,
        _ parameters: (inout DER.Serializer) throws -> Void
    ) throws {
        try sequence { coder in
            try coder.serialize(kind)
            try parameters(&coder)
        }
    }

    fileprivate mutating func serializeNull() { appendPrimitiveNode(identifier: .null) { _ in } }
}

extension RandomNumberGenerator {
    fileprivate mutating func octets(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in .random(in: 0...255, using: &self) }
    }
}

extension String {
    fileprivate var bigEndianUTF16: [UInt8] { utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } }
}

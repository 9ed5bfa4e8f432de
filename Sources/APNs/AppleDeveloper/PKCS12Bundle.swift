import Crypto
import CryptoExtras
import NetworkSupport
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
        self.certificate = certificate.der
        self.key = key.pkcs8
        name = certificate.commonName ?? certificate.subject
    }

    /// Returns the bytes of the file.
    ///
    /// `random` is the source of salts.
    /// - Throws: if the password has characters outside ASCII, which programs read in different ways.
    package func encoded(password: String, using random: inout some RandomNumberGenerator) throws -> [UInt8] {
        guard password.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
            throw DeveloperProblem(
                "The password has characters outside ASCII, which programs read in different ways; expected letters, "
                    + "digits and the like."
            )
        }
        let certificates = try Encryption(password: password, iterations: Self.iterations, using: &random)
        let keys = try Encryption(password: password, iterations: Self.iterations, using: &random)
        let salt = random.octets(8)
        let safe = try DER.sequence { coder in
            try encrypted(try certificateBags(), by: certificates, &coder)
            try coder.bag(PKCS12.data) { try $0.octets(try keyBags(keys)) }
        }
        let secret = password.bigEndianUTF16 + [0, 0]
        return try PKCS12.bundle(
            of: safe,
            by: SHA256.self,
            ObjectID.sha256,
            secret: secret,
            salt: salt,
            iterations: Self.iterations
        )
    }

    // MARK: Parts

    private func certificateBags() throws -> [UInt8] {
        try bags(PKCS12.certificateBag) { coder in
            try coder.bag(PKCS12.x509Certificate) { try $0.octets(certificate) }
        }
    }

    private func keyBags(_ encryption: Encryption) throws -> [UInt8] {
        let sealed = try encryption.seal(key)
        return try bags(PKCS12.shroudedKeyBag) { coder in
            try coder.sequence { coder in
                try encryption.writeAlgorithm(&coder)
                try coder.octets(sealed)
            }
        }
    }

    /// One bag, with the friendly name and the local key id that links certificate and key.
    private func bags(_ kind: ASN1ObjectIdentifier, _ write: (inout DER.Serializer) throws -> Void) throws -> [UInt8] {
        try DER.sequence { coder in
            try coder.typed(kind) { coder in
                try coder.tagged(0, write)
                try coder.serializeSetOf([
                    Attribute(kind: ObjectID.friendlyName) { coder in
                        coder.appendPrimitiveNode(identifier: .bmpString) { $0 += name.bigEndianUTF16 }
                    },
                    Attribute(kind: ObjectID.localKeyID) { coder in
                        try coder.octets(Array(Insecure.SHA1.hash(data: certificate)))
                    },
                ])
            }
        }
    }

    /// A `ContentInfo` of encrypted data.
    private func encrypted(_ content: [UInt8], by encryption: Encryption, _ coder: inout DER.Serializer) throws {
        let sealed = try encryption.seal(content)
        try coder.bag(ObjectID.encryptedData) { coder in
            try coder.sequence { coder in
                try coder.serialize(0)
                try coder.typed(PKCS12.data) { coder in
                    try encryption.writeAlgorithm(&coder)
                    let tag = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
                    coder.appendPrimitiveNode(identifier: tag) { $0 += sealed }
                }
            }
        }
    }

    // MARK: Secrets

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
            try coder.typed(ObjectID.pbes2) { coder in
                try coder.sequence { coder in
                    try coder.typed(ObjectID.pbkdf2) { coder in
                        try coder.sequence { coder in
                            try coder.octets(salt)
                            try coder.serialize(iterations)
                            try coder.typed(ObjectID.hmacWithSHA256) { try $0.serialize(ASN1Null()) }
                        }
                    }
                    try coder.typed(ObjectID.aes256CBC) { coder in
                        try coder.octets(vector)
                    }
                }
            }
        }
    }

    private struct Attribute: DERSerializable {
        let kind: ASN1ObjectIdentifier
        let write: (inout DER.Serializer) throws -> Void

        func serialize(into coder: inout DER.Serializer) throws {
            try coder.typed(kind) { try $0.appendConstructedNode(identifier: .set, write) }
        }
    }

    private enum ObjectID {
        static let encryptedData: ASN1ObjectIdentifier = "1.2.840.113549.1.7.6"
        static let friendlyName: ASN1ObjectIdentifier = "1.2.840.113549.1.9.20"
        static let localKeyID: ASN1ObjectIdentifier = "1.2.840.113549.1.9.21"
        static let pbes2: ASN1ObjectIdentifier = "1.2.840.113549.1.5.13"
        static let pbkdf2: ASN1ObjectIdentifier = "1.2.840.113549.1.5.12"
        static let hmacWithSHA256: ASN1ObjectIdentifier = "1.2.840.113549.2.9"
        static let aes256CBC: ASN1ObjectIdentifier = "2.16.840.1.101.3.4.1.42"
        static let sha256: ASN1ObjectIdentifier = "2.16.840.1.101.3.4.2.1"
    }
}

extension RandomNumberGenerator {
    fileprivate mutating func octets(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in .random(in: 0...255, using: &self) }
    }
}

import NIOSSL
import PushModel
import SwiftASN1

/// The certificates and private keys of a file, in its order.
struct CertificateFile {
    typealias Unreadable = APNSCertificate.Unreadable

    private let certificates: [NIOSSLCertificate]
    private let keys: [NIOSSLPrivateKey]

    /// Reads a PKCS#12 bundle.
    init(p12: [UInt8], passPhrase: String?) throws(Unreadable) {
        try Self.check(passPhrase)
        let contents = try PKCS12Contents(p12)
        try Self.check(contents)
        let opener = PKCS12Opener(contents: contents, passPhrase: passPhrase ?? "")
        do { (keys, certificates) = (try opener.keys(), try opener.certificates()) } catch {
            throw Unreadable(p12: error, hasPassPhrase: !(passPhrase ?? "").isEmpty)
        }
        try PKCS12Contents.check(bags: keys.count + certificates.count)
    }

    /// Reads PEM text.
    init(pem: [UInt8], key: [UInt8], passPhrase: String?) throws(Unreadable) {
        certificates = try Self.certificates(in: pem)
        keys = try Self.keys(in: key, passPhrase)
    }

    /// Returns the certificates whose keys are there.
    ///
    /// - Throws: `keyMismatch` if there is none.
    func identities() throws(Unreadable) -> [APNSCertificate] {
        var identities: [APNSCertificate] = []
        var problem: Unreadable?
        for place in certificates.indices {
            guard let key = keys.first(where: { Self.fit(certificates[place], $0) }) else { continue }
            var chain = certificates
            chain.insert(chain.remove(at: place), at: 0)
            do { identities.append(try APNSCertificate(chain: chain, privateKey: key)) } catch { problem = error }
        }
        guard !identities.isEmpty else {
            throw problem
                ?? Unreadable(
                    .keyMismatch,
                    "The private key belongs to none of the certificates. "
                        + "Export the certificate together with the key that its request was made with."
                )
        }
        return identities
    }

    private static func fit(_ certificate: NIOSSLCertificate, _ key: NIOSSLPrivateKey) -> Bool {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates([])
        tls.certificateChain = [.certificate(certificate)]
        tls.privateKey = .privateKey(key)
        return (try? NIOSSLContext(configuration: tls)) != nil
    }

    /// Rejects other characters: NIOSSL 2.37 ends the process when it passes them to BoringSSL.
    private static func check(_ passPhrase: String?) throws(Unreadable) {
        guard passPhrase?.utf8.allSatisfy({ $0 < 0x80 }) ?? true else {
            throw Unreadable(
                "The pass phrase has characters outside ASCII, which cannot be used here; "
                    + "export the certificate with another."
            )
        }
    }

    private static func check(_ contents: PKCS12Contents) throws(Unreadable) {
        guard !contents.keys.isEmpty else {
            throw Unreadable(
                .keyMissing,
                "The bundle holds a certificate but no private key. In Keychain Access open the "
                    + "certificate's triangle and export the two together, from the Mac on which the request was made."
            )
        }
        guard !contents.certificateBags.isEmpty || !contents.encryptedParts.isEmpty else {
            throw Unreadable(
                .certificateMissing,
                "The bundle holds a private key but no certificate. "
                    + "Export the certificate from Apple's developer portal together with its key."
            )
        }
    }

    private static func certificates(in pem: [UInt8]) throws(Unreadable) -> [NIOSSLCertificate] {
        let certificates = try? NIOSSLCertificate.fromPEMBytes(pem.normalizedPEM)
        guard let certificates, !certificates.isEmpty else {
            let hasKey = String(decoding: pem, as: UTF8.self).contains("PRIVATE KEY-----")
            throw Unreadable(
                hasKey ? .certificateMissing : .malformed,
                "The PEM text holds no certificate; expected '-----BEGIN CERTIFICATE-----'."
            )
        }
        guard certificates.count <= PKCS12Contents.bagLimit else {
            throw Unreadable(
                "The PEM text holds \(certificates.count) certificates; expected at most \(PKCS12Contents.bagLimit). "
                    + "Leave the certificate for pushes and its key alone in it."
            )
        }
        return certificates
    }

    private static func keys(in pem: [UInt8], _ passPhrase: String?) throws(Unreadable) -> [NIOSSLPrivateKey] {
        let blocks: [PEMBlock]
        do { blocks = try PEMBlock.blocks(in: pem).filter(\.isPrivateKey) } catch {
            throw Unreadable("The PEM text cannot be read: \(error).")
        }
        guard !blocks.isEmpty else {
            throw Unreadable(.keyMissing, "The PEM text holds no private key; expected '-----BEGIN PRIVATE KEY-----'.")
        }
        guard blocks.count <= PKCS12Contents.bagLimit else {
            throw Unreadable(
                "The PEM text holds \(blocks.count) private keys; expected at most \(PKCS12Contents.bagLimit)."
            )
        }
        try check(passPhrase)
        var keys: [NIOSSLPrivateKey] = []
        for block in blocks { keys.append(try key(block, passPhrase)) }
        return keys
    }

    private static func key(_ block: PEMBlock, _ passPhrase: String?) throws(Unreadable) -> NIOSSLPrivateKey {
        if block.isEncrypted, let algorithm = KeyEncryption.unreadable(in: block) {
            throw Unreadable(
                "The private key is encrypted with \(algorithm), which cannot be decrypted here. "
                    + "'openssl pkey -aes256 -in FILE -out NEW.key' encrypts it with another algorithm."
            )
        }
        let bytes = Array(block.text.utf8)
        do {
            guard let passPhrase else { return try NIOSSLPrivateKey(bytes: bytes, format: .pem) }
            return try NIOSSLPrivateKey(bytes: bytes, format: .pem) { set in set(Array(passPhrase.utf8)) }
        } catch {
            let text =
                switch (block.isEncrypted, passPhrase) {
                case (true, nil): "The private key is encrypted; expected its pass phrase."
                case (true, _): "The private key cannot be decrypted with this pass phrase."
                case (false, _): "The private key cannot be read: \(error)."
                }
            throw Unreadable(block.isEncrypted ? .wrongPassPhrase : .malformed, text)
        }
    }
}

extension APNSCertificate.Unreadable {
    init(_ description: String) { self.init(description: description) }

    init(_ reason: Reason, _ description: String) { self.init(reason: reason, description: description) }

    /// `error` is BoringSSL's error for a well-formed bundle: usually a wrong pass phrase.
    fileprivate init(p12 error: any Error, hasPassPhrase: Bool) {
        let codes = "\(error)".matches(of: /OPENSSL_internal:(\w+)/).map { String($0.1) }
        self.init(
            .wrongPassPhrase,
            (hasPassPhrase
                ? "The pass phrase does not open the PKCS#12 bundle"
                : "The PKCS#12 bundle has a pass phrase; expected the one it was exported with")
                + (codes.isEmpty ? "." : " (\(codes.joined(separator: ", "))).")
        )
    }
}

/// The algorithms with which private keys and PKCS#12 bundles are encrypted, and which of them BoringSSL has.
///
/// Source: BoringSSL, `crypto/pkcs8/pkcs8.cc` and `p5_pbev2.cc`, as of NIOSSL 2.37. To it, any other looks like a wrong pass phrase.
enum KeyEncryption {
    /// Returns the algorithm of an encrypted key in PEM if BoringSSL does not have it.
    static func unreadable(in block: PEMBlock) -> String? {
        guard block.headers.isEmpty else {
            let name = block.headers.first { $0.hasPrefix("DEK-Info:") }?.split(separator: ":").last?.split(
                separator: ","
            ).first
            let cipher = name?.trimmingPrefix(" ") ?? "an unnamed algorithm"
            return ciphersOfHeaders.contains(cipher.uppercased()) ? nil : String(cipher)
        }
        return (try? BER.parse(block.bytes)).flatMap { unreadable(in: $0) }
    }

    /// Returns the algorithm of an `EncryptedPrivateKeyInfo`, or of another sequence that begins with it, if BoringSSL does not have it.
    static func unreadable(in encrypted: ASN1Node) -> String? {
        encrypted.children.first.flatMap(unreadable(algorithm:))
    }

    /// Returns the name of an algorithm (RFC 8018, appendix A), or of the part of it that BoringSSL does not have.
    static func unreadable(algorithm: ASN1Node) -> String? {
        guard let scheme = identifier(of: algorithm) else { return nil }
        guard scheme == pbes2 else { return readable.contains(scheme) ? nil : name(scheme) }
        guard let parameters = algorithm.children.last?.children, parameters.count == 2,
            let derivation = identifier(of: parameters[0]), let cipher = identifier(of: parameters[1])
        else { return nil }
        let hash = parameters[0].children.last?.children.last.flatMap(identifier(of:))
        return ([derivation] + [hash].compactMap(\.self) + [cipher]).first { !readable.contains($0) }.map(name)
    }

    private static func identifier(of algorithm: ASN1Node) -> ASN1ObjectIdentifier? {
        algorithm.children.first.flatMap { try? ASN1ObjectIdentifier(berEncoded: $0) }
    }

    private static func name(_ identifier: ASN1ObjectIdentifier) -> String {
        names[identifier] ?? "the algorithm \(identifier)"
    }

    private static let ciphersOfHeaders: Set = ["AES-128-CBC", "AES-192-CBC", "AES-256-CBC", "DES-CBC", "DES-EDE3-CBC"]

    private static let pbes2: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 5, 13]

    private static let readable: Set<ASN1ObjectIdentifier> = [
        // RC2 with 40 bits, RC4 with 128 bits and triple DES, each with SHA-1.
        [1, 2, 840, 113549, 1, 12, 1, 6], [1, 2, 840, 113549, 1, 12, 1, 1], [1, 2, 840, 113549, 1, 12, 1, 3],
        // PBKDF2, HMAC with SHA-1 and with SHA-256.
        [1, 2, 840, 113549, 1, 5, 12], [1, 2, 840, 113549, 2, 7], [1, 2, 840, 113549, 2, 9],
        // RC2, triple DES and AES, in CBC mode.
        [1, 2, 840, 113549, 3, 2], [1, 2, 840, 113549, 3, 7], [2, 16, 840, 1, 101, 3, 4, 1, 2],
        [2, 16, 840, 1, 101, 3, 4, 1, 22], [2, 16, 840, 1, 101, 3, 4, 1, 42],
    ]

    private static let names: [ASN1ObjectIdentifier: String] = [
        [1, 2, 840, 113549, 1, 5, 3]: "MD5 and DES", [1, 2, 840, 113549, 1, 5, 6]: "MD5 and RC2",
        [1, 2, 840, 113549, 1, 5, 10]: "SHA-1 and DES", [1, 2, 840, 113549, 1, 5, 11]: "SHA-1 and RC2",
        [1, 2, 840, 113549, 1, 12, 1, 2]: "RC4 with 40 bits",
        [1, 2, 840, 113549, 1, 12, 1, 4]: "triple DES with two keys",
        [1, 2, 840, 113549, 1, 12, 1, 5]: "RC2 with 128 bits", [1, 3, 6, 1, 4, 1, 11591, 4, 11]: "scrypt",
        [1, 2, 840, 113549, 2, 8]: "HMAC-SHA-224", [1, 2, 840, 113549, 2, 10]: "HMAC-SHA-384",
        [1, 2, 840, 113549, 2, 11]: "HMAC-SHA-512", [1, 2, 840, 113549, 2, 12]: "HMAC-SHA-512/224",
        [1, 2, 840, 113549, 2, 13]: "HMAC-SHA-512/256", [2, 16, 840, 1, 101, 3, 4, 2, 14]: "HMAC-SHA3-256",
        [2, 16, 840, 1, 101, 3, 4, 2, 16]: "HMAC-SHA3-512", [1, 2, 392, 200011, 61, 1, 1, 1, 2]: "Camellia-128-CBC",
        [1, 2, 392, 200011, 61, 1, 1, 1, 3]: "Camellia-192-CBC",
        [1, 2, 392, 200011, 61, 1, 1, 1, 4]: "Camellia-256-CBC",
        [1, 2, 410, 200046, 1, 1, 2]: "ARIA-128-CBC", [1, 2, 410, 200046, 1, 1, 7]: "ARIA-192-CBC",
        [1, 2, 410, 200046, 1, 1, 12]: "ARIA-256-CBC", [1, 2, 410, 200004, 1, 4]: "SEED-CBC",
        [1, 2, 156, 10197, 1, 104, 2]: "SM4-CBC", [1, 3, 14, 3, 2, 7]: "DES-CBC",
        [2, 16, 840, 1, 101, 3, 4, 1, 6]: "AES-128-GCM", [2, 16, 840, 1, 101, 3, 4, 1, 46]: "AES-256-GCM",
    ]
}

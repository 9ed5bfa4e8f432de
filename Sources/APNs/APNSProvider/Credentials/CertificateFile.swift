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

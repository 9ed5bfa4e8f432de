public import Foundation
import NIOSSL
public import PushModel

/// A client certificate that Apple issued for pushes, with its private key.
///
/// ```swift
/// let bytes = Array(try Data(contentsOf: URL(filePath: "push.p12")))
/// let certificate = try APNSCertificate(p12: bytes, passPhrase: "secret")
/// let client = APNSClient(credential: .certificate(certificate), endpoint: .apple(.production))
/// ```
/// The topics and environments are in the extensions 1.2.840.113635.100.6.3.1 (development), .2 (production), .4 and .6
/// (topics). Source: Apple, "Establishing a certificate-based connection to APNs", read October 2026.
public struct APNSCertificate: Sendable {
    /// The allowed values of `apns-topic`, in the certificate's order: bundle ids, with suffixes for other push types.
    ///
    /// The list is the certificate's; without one, it is the `UID` of the subject.
    public let topics: [String]
    /// The environments where the certificate is valid; both if it names none.
    public let environments: Set<APNSEnvironment>
    /// The `OU` of the subject: ten characters.
    public let teamID: String?
    /// The `CN` of the subject, such as `Apple Push Services: com.example.app`.
    public let commonName: String?
    /// Whether the certificate has an extension for pushes, as those that Apple issues for them have.
    public let isForPushes: Bool
    /// The beginning of the certificate's validity.
    public let notValidBefore: Date
    /// The expiration date, usually 13 months after the certificate was issued.
    public let notValidAfter: Date

    let chain: [NIOSSLCertificate]
    let privateKey: NIOSSLPrivateKey

    /// An error for files that contain no usable certificate and key.
    public struct Unreadable: Error, Hashable, CustomStringConvertible {
        /// The kind of error.
        public enum Reason: Hashable, Sendable, CaseIterable {
            /// The file is of another kind, or damaged.
            case malformed
            /// The pass phrase is wrong or missing.
            case wrongPassPhrase
            /// A certificate without its private key.
            case keyMissing
            /// A private key without a certificate.
            case certificateMissing
            /// The private key belongs to another certificate.
            case keyMismatch
        }

        public var reason = Reason.malformed
        public var description: String
    }

    /// Reads a PKCS#12 bundle: the `.p12` that Keychain exports, also with the old RC2 and triple DES encryption.
    ///
    /// - Parameters:
    ///   - p12: the bytes of the file.
    ///   - passPhrase: the bundle's pass phrase; nil and empty both open a bundle that has none.
    /// - Throws: ``Unreadable`` if it is not such a bundle, the pass phrase is wrong, or certificate or key is missing.
    public init(p12: [UInt8], passPhrase: String? = nil) throws(Unreadable) {
        try Self.check(passPhrase)
        let contents = try PKCS12Contents(p12)
        try Self.check(contents)
        let opener = PKCS12Opener(contents, passPhrase: passPhrase ?? "")
        let (keys, certificates): ([NIOSSLPrivateKey], [NIOSSLCertificate])
        do { (keys, certificates) = (try opener.keys(), try opener.certificates()) } catch {
            throw Unreadable(p12: error, hasPassPhrase: !(passPhrase ?? "").isEmpty)
        }
        try PKCS12Contents.check(bags: keys.count + certificates.count)
        // A bundle may contain several identities; the first complete one is used.
        let key = keys.first { key in certificates.contains { Self.fit($0, key) } }
        try self.init(chain: certificates, privateKey: key ?? keys[0])
    }

    /// Reads a file with certificate and key: PKCS#12, or both in PEM.
    ///
    /// - Throws: ``Unreadable``.
    public init(file: [UInt8], passPhrase: String? = nil) throws(Unreadable) {
        guard file.first != 0x30 else {
            try Self.refuseLoneCertificate(file)
            self = try Self(p12: file, passPhrase: passPhrase)
            return
        }
        let pem = String(decoding: file, as: UTF8.self)
        guard pem.contains("-----BEGIN ") else {
            throw Unreadable(
                description:
                    "The file is neither a PKCS#12 bundle (.p12) nor PEM text; expected certificate and private key."
            )
        }
        self = try Self(pem: pem, passPhrase: passPhrase?.isEmpty == true ? nil : passPhrase)
    }

    /// Reads PEM text.
    ///
    /// - Parameters:
    ///   - pem: the certificate (`BEGIN CERTIFICATE`), optionally with those of its issuers.
    ///   - key: the private key (`BEGIN PRIVATE KEY` or a similar form); nil if it is in `pem` too.
    ///   - passPhrase: the pass phrase of an encrypted key.
    /// - Throws: ``Unreadable`` if certificate or key is missing, or the two do not belong together.
    public init(pem: String, key: String? = nil, passPhrase: String? = nil) throws(Unreadable) {
        let certificates = try? NIOSSLCertificate.fromPEMBytes(Array(pem.utf8))
        guard let certificates, !certificates.isEmpty else {
            throw Unreadable(
                reason: pem.contains("PRIVATE KEY-----") ? .certificateMissing : .malformed,
                description: "The PEM text holds no certificate; expected '-----BEGIN CERTIFICATE-----'."
            )
        }
        try self.init(chain: certificates, privateKey: try Self.privateKey(key ?? pem, passPhrase))
    }

    private init(chain: [NIOSSLCertificate], privateKey: NIOSSLPrivateKey) throws(Unreadable) {
        guard let place = chain.firstIndex(where: { Self.fit($0, privateKey) }) else {
            throw Unreadable(
                reason: .keyMismatch,
                description: "The private key belongs to none of the certificates. "
                    + "Export the certificate together with the key that its request was made with."
            )
        }
        var chain = chain
        let own = chain.remove(at: place)
        let facts: CertificateFacts
        do { facts = try CertificateFacts(own) } catch {
            throw Unreadable(description: "The certificate cannot be read: \(error).")
        }
        topics = facts.topics
        isForPushes = facts.isForPushes
        environments = facts.environments
        teamID = facts.organizationalUnit
        commonName = facts.commonName
        notValidBefore = Date(timeIntervalSince1970: TimeInterval(own.notValidBefore))
        notValidAfter = Date(timeIntervalSince1970: TimeInterval(own.notValidAfter))
        self.chain = [own] + chain
        self.privateKey = privateKey
    }

    /// The topic for pushes that name none; nil if the certificate has several.
    public var onlyTopic: String? { topics.count == 1 ? topics.first : nil }

    /// Returns a warning about its use at `date`: not valid yet, expired, or about to expire within 30 days.
    public func warning(at date: Date) -> String? {
        let name = commonName ?? topics.first ?? "without a name"
        if date < notValidBefore {
            return "The certificate '\(name)' is not valid before \(notValidBefore.formatted(.iso8601))."
        }
        if date > notValidAfter {
            return "The certificate '\(name)' expired on \(notValidAfter.formatted(.iso8601)). "
                + "Make a new one in Apple's developer portal; device tokens stay as they are."
        }
        guard notValidAfter.timeIntervalSince(date) < 30 * 86400 else { return nil }
        return "The certificate '\(name)' expires on \(notValidAfter.formatted(.iso8601)). "
            + "Make a new one in Apple's developer portal in time."
    }
}

extension APNSCertificate {
    /// Rejects other characters: NIOSSL 2.37 ends the process when it passes them to BoringSSL.
    private static func check(_ passPhrase: String?) throws(Unreadable) {
        guard passPhrase?.utf8.allSatisfy({ $0 < 0x80 }) ?? true else {
            throw Unreadable(
                description: "The pass phrase has characters outside ASCII, which cannot be used here; "
                    + "export the certificate with another."
            )
        }
    }

    /// Rejects a certificate in DER, such as the `.cer` that Apple's developer portal offers.
    private static func refuseLoneCertificate(_ file: [UInt8]) throws(Unreadable) {
        guard (try? NIOSSLCertificate(bytes: file, format: .der)) != nil else { return }
        throw Unreadable(
            reason: .keyMissing,
            description: "The file is a certificate without a private key (.cer). Open it in Keychain Access on the "
                + "Mac on which the request was made, and export it together with its key as .p12."
        )
    }

    private static func check(_ contents: PKCS12Contents) throws(Unreadable) {
        guard !contents.keys.isEmpty else {
            throw Unreadable(
                reason: .keyMissing,
                description: "The bundle holds a certificate but no private key. In Keychain Access open the "
                    + "certificate's triangle and export the two together, from the Mac on which the request was made."
            )
        }
        guard !contents.certificateBags.isEmpty || !contents.encryptedParts.isEmpty else {
            throw Unreadable(
                reason: .certificateMissing,
                description: "The bundle holds a private key but no certificate. "
                    + "Export the certificate from Apple's developer portal together with its key."
            )
        }
    }

    private static func privateKey(_ pem: String, _ passPhrase: String?) throws(Unreadable) -> NIOSSLPrivateKey {
        guard pem.contains("PRIVATE KEY-----") else {
            throw Unreadable(
                reason: .keyMissing,
                description: "The PEM text holds no private key; expected '-----BEGIN PRIVATE KEY-----'."
            )
        }
        let bytes = Array(pem.utf8)
        try check(passPhrase)
        do {
            guard let passPhrase else { return try NIOSSLPrivateKey(bytes: bytes, format: .pem) }
            return try NIOSSLPrivateKey(bytes: bytes, format: .pem) { set in set(Array(passPhrase.utf8)) }
        } catch {
            let isLocked = pem.contains("ENCRYPTED")
            let text =
                switch (isLocked, passPhrase) {
                case (true, nil): "The private key is encrypted; expected its pass phrase."
                case (true, _): "The private key cannot be decrypted with this pass phrase."
                case (false, _): "The private key cannot be read: \(error)."
                }
            throw Unreadable(reason: isLocked ? .wrongPassPhrase : .malformed, description: text)
        }
    }

    private static func fit(_ certificate: NIOSSLCertificate, _ key: NIOSSLPrivateKey) -> Bool {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates([])
        tls.certificateChain = [.certificate(certificate)]
        tls.privateKey = .privateKey(key)
        return (try? NIOSSLContext(configuration: tls)) != nil
    }
}

extension APNSCertificate.Unreadable {
    /// * `error`: BoringSSL's error for a well-formed bundle: usually a wrong pass phrase.
    fileprivate init(p12 error: any Error, hasPassPhrase: Bool) {
        let codes = "\(error)".matches(of: /OPENSSL_internal:(\w+)/).map { String($0.1) }
        self.init(
            reason: .wrongPassPhrase,
            description: (hasPassPhrase
                ? "The pass phrase does not open the PKCS#12 bundle"
                : "The PKCS#12 bundle has a pass phrase; expected the one it was exported with")
                + (codes.isEmpty ? "." : " (\(codes.joined(separator: ", "))).")
        )
    }
}

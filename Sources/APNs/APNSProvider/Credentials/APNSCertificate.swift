import Crypto
public import Foundation
import NIOSSL
import NetworkSupport
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

    /// The SHA-256 of the certificate in DER.
    package let fingerprint: [UInt8]
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
        self = Self.preferred(of: try CertificateFile(p12: p12, passPhrase: passPhrase).identities())
    }

    /// Reads a file with certificate and key: PKCS#12, or both in PEM.
    ///
    /// - Throws: ``Unreadable``.
    public init(file: [UInt8], passPhrase: String? = nil) throws(Unreadable) {
        self = Self.preferred(of: try Self.all(in: file, passPhrase: passPhrase))
    }

    /// Reads all certificates of a file whose private keys are there: PKCS#12 or PEM, in the order of the file.
    package static func all(in file: [UInt8], passPhrase: String? = nil) throws(Unreadable) -> [APNSCertificate] {
        guard file.first != 0x30 else {
            try refuseLoneCertificate(file)
            return try CertificateFile(p12: file, passPhrase: passPhrase).identities()
        }
        guard String(decoding: file, as: UTF8.self).contains("-----BEGIN ") else {
            throw Unreadable(
                "The file is neither a PKCS#12 bundle (.p12) nor PEM text; expected certificate and private key."
            )
        }
        let passPhrase = passPhrase?.isEmpty == true ? nil : passPhrase
        return try CertificateFile(pem: file, key: file, passPhrase: passPhrase).identities()
    }

    /// Reads PEM text.
    ///
    /// - Parameters:
    ///   - pem: the certificate (`BEGIN CERTIFICATE`), optionally with those of its issuers.
    ///   - key: the private key (`BEGIN PRIVATE KEY` or a similar form); nil if it is in `pem` too.
    ///   - passPhrase: the pass phrase of an encrypted key.
    /// - Throws: ``Unreadable`` if certificate or key is missing, or the two do not belong together.
    public init(pem: String, key: String? = nil, passPhrase: String? = nil) throws(Unreadable) {
        let file = try CertificateFile(pem: Array(pem.utf8), key: Array((key ?? pem).utf8), passPhrase: passPhrase)
        self = Self.preferred(of: try file.identities())
    }

    /// The first certificate for pushes; the first of all if none is. A file may hold certificates for signing, too.
    ///
    /// Sources: PushSharp #219, node-apn #336.
    private static func preferred(of all: [APNSCertificate]) -> APNSCertificate {
        all.first(where: \.isForPushes) ?? all[0]
    }

    /// `chain` is the certificate of the key, then others.
    /// - Throws: ``Unreadable`` if the certificate is malformed.
    init(chain: [NIOSSLCertificate], privateKey: NIOSSLPrivateKey) throws(Unreadable) {
        let own = chain[0]
        let facts: CertificateFacts
        do {
            let der = try own.toDERBytes()
            facts = try CertificateFacts(der: der)
            fingerprint = Array(SHA256.hash(data: der))
        } catch {
            throw Unreadable("The certificate cannot be read: \(error).")
        }
        topics = facts.topics
        isForPushes = facts.isForPushes
        environments = facts.environments
        teamID = facts.teamID
        commonName = facts.commonName
        notValidBefore = Date(timeIntervalSince1970: TimeInterval(own.notValidBefore))
        notValidAfter = Date(timeIntervalSince1970: TimeInterval(own.notValidAfter))
        self.chain = chain
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
    /// Rejects a certificate in DER, such as the `.cer` that Apple's developer portal offers.
    private static func refuseLoneCertificate(_ file: [UInt8]) throws(Unreadable) {
        guard (try? NIOSSLCertificate(bytes: file, format: .der)) != nil else { return }
        throw Unreadable(
            .keyMissing,
            "The file is a certificate without a private key (.cer). Open it in Keychain Access on the "
                + "Mac on which the request was made, and export it together with its key as .p12."
        )
    }
}

extension APNSCertificate {
    /// Returns the certificate itself, without those of its issuers and without the key.
    ///
    /// - Throws: any error of the DER encoder.
    package func der() throws -> [UInt8] {
        // The initializers put the certificate of the key first.
        try chain[0].toDERBytes()
    }
}

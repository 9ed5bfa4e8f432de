import Crypto
import Foundation
package import NIOSSL
import NetworkSupport
import SwiftASN1
package import X509

/// The gateway's own certificate authority, and the server certificate that it has signed.
///
/// Created at the first start and stored as PEM files. Dates come from the system clock, because TLS validates against it
/// whatever clock the rest uses. The server certificate is renewed when less than 30 days are left.
package struct GatewayAuthority: Sendable {
    /// The names in the server certificate: this machine, and Apple's hosts for libraries with fixed names.
    package static let names = [
        "localhost", "api.push.apple.com", "api.sandbox.push.apple.com", "api.development.push.apple.com",
        "api-broadcast.push.apple.com", "api-broadcast.sandbox.push.apple.com",
        "api-manage-broadcast.push.apple.com", "api-manage-broadcast.sandbox.push.apple.com",
    ]

    /// The authority's certificate in PEM, which a provider has to trust.
    package let pem: String
    /// The file that holds ``pem``; nil when kept in memory.
    package let path: String?
    /// The chain of the server certificate, that one first.
    package let chain: [NIOSSLCertificate]
    /// The key of the server certificate.
    package let key: NIOSSLPrivateKey
    /// The signer of further certificates; nil if the server certificate was supplied from outside.
    let issuer: Identity?

    /// The authority's certificate; nil if the server certificate was supplied from outside.
    package var certificate: Certificate? { issuer?.certificate }

    /// A certificate and its key.
    struct Identity: Sendable {
        var certificate: Certificate
        var key: Certificate.PrivateKey
    }

    /// - Parameter folder: the folder of the files (`ca.pem`, `ca.key`, `server.pem`, `server.key`; the keys are readable by
    ///   their owner only); nil keeps everything in memory.
    /// - Throws: ``PrivateFile/Problem`` if `ca.pem` or `ca.key` is damaged, or missing while the other one exists: all providers
    ///   trust that authority, so it is never replaced. Also if the folder cannot be read or written.
    package init(folder: String?) throws {
        let files = PEMFolder(path: folder)
        let authority = try files.authority() ?? files.makeAuthority()
        let server = try files.server(of: authority) ?? files.makeServer(by: authority)
        issuer = authority
        pem = try authority.certificate.serializeAsPEM().pemString
        path = folder.map { URL(filePath: $0).appending(path: "ca.pem").path(percentEncoded: false) }
        chain = try NIOSSLCertificate.fromPEMBytes(Array(server.certificate.serializeAsPEM().pemString.utf8))
        key = try NIOSSLPrivateKey(bytes: Array(server.key.serializeAsPEM().pemString.utf8), format: .pem)
    }

    /// Loads a server certificate that was supplied from outside.
    ///
    /// `certificates` is a PEM file with the chain, the server's own certificate first. `keyFile` is a PEM file with
    /// its key.
    /// - Throws: ``NetworkSupport/ServerIdentity/Problem``, or an error if the file cannot be read.
    package init(certificates: String, key keyFile: String) throws {
        let identity = try ServerIdentity(certificates: certificates, key: keyFile, at: Date())
        chain = identity.chain
        key = identity.key
        path = certificates
        issuer = nil
        pem = try String(contentsOfFile: certificates, encoding: .utf8)
    }
}

private struct PEMFolder {
    typealias Identity = GatewayAuthority.Identity

    let path: String?
    private let now = Date()
    private let day: TimeInterval = 24 * 3600

    func authority() throws -> Identity? {
        try readAuthority().flatMap { $0.certificate.notValidAfter > now.addingTimeInterval(60 * day) ? $0 : nil }
    }

    func server(of authority: Identity) throws -> Identity? {
        guard let identity = read("server"), identity.certificate.notValidAfter > now.addingTimeInterval(30 * day),
            authority.certificate.publicKey.isValidSignature(identity.certificate.signature, for: identity.certificate)
        else { return nil }
        return identity
    }

    func makeAuthority() throws -> Identity {
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let name = try DistinguishedName {
            OrganizationName("Posthorn")
            CommonName("Posthorn gateway authority")
        }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: key.publicKey,
            notValidBefore: now.addingTimeInterval(-day),
            notValidAfter: now.addingTimeInterval(3650 * day),
            issuer: name,
            subject: name,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                SubjectKeyIdentifier(hash: key.publicKey)
            },
            issuerPrivateKey: key
        )
        return try kept(Identity(certificate: certificate, key: key), as: "ca")
    }

    func makeServer(by authority: Identity) throws -> Identity {
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let addresses: [[UInt8]] = [[127, 0, 0, 1], Array(repeating: 0, count: 15) + [1]]
        let names =
            GatewayAuthority.names.map { GeneralName.dnsName($0) }
            + addresses.map { GeneralName.ipAddress(ASN1OctetString(contentBytes: $0[...])) }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: key.publicKey,
            notValidBefore: now.addingTimeInterval(-day),
            notValidAfter: now.addingTimeInterval(365 * day),
            issuer: authority.certificate.subject,
            subject: try DistinguishedName { CommonName("Posthorn gateway") },
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(names)
                SubjectKeyIdentifier(hash: key.publicKey)
                AuthorityKeyIdentifier(keyIdentifier: SubjectKeyIdentifier(hash: authority.key.publicKey).keyIdentifier)
            },
            issuerPrivateKey: authority.key
        )
        return try kept(Identity(certificate: certificate, key: key), as: "server")
    }

    /// Nil at the first start.
    private func readAuthority() throws(PrivateFile.Problem) -> Identity? {
        guard let path else { return nil }
        let pemPath = "\(path)/ca.pem"
        let keyPath = "\(path)/ca.key"
        func problem(_ what: String) -> PrivateFile.Problem {
            PrivateFile.Problem(
                description:
                    "\(what) Restore '\(pemPath)' and '\(keyPath)' from a backup. To have a new authority made, "
                    + "delete both: every provider then has to be given the new 'ca.pem'."
            )
        }
        switch (try PrivateFile.read(pemPath), try PrivateFile.read(keyPath)) {
        case (nil, nil): return nil
        case (nil, _): throw problem("'\(pemPath)' is missing, and '\(keyPath)' is there.")
        case (_, nil): throw problem("'\(keyPath)' is missing, and '\(pemPath)' is there.")
        case (let pem?, let keyPEM?):
            guard let certificate = try? Certificate(pemEncoded: String(decoding: pem, as: UTF8.self)) else {
                throw problem("'\(pemPath)' holds no certificate (\(pem.count) bytes); expected PEM.")
            }
            guard let key = try? Certificate.PrivateKey(pemEncoded: String(decoding: keyPEM, as: UTF8.self)) else {
                throw problem("'\(keyPath)' holds no key (\(keyPEM.count) bytes); expected PEM without a passphrase.")
            }
            guard key.publicKey == certificate.publicKey else {
                throw problem("The key in '\(keyPath)' is not that of the certificate in '\(pemPath)'.")
            }
            return Identity(certificate: certificate, key: key)
        }
    }

    /// Nil if one of the two files is missing or invalid. The server certificate can be replaced silently, because the authority
    /// stays the same.
    private func read(_ name: String) -> Identity? {
        guard let path, let pem = try? String(contentsOfFile: "\(path)/\(name).pem", encoding: .utf8),
            let keyPEM = try? String(contentsOfFile: "\(path)/\(name).key", encoding: .utf8),
            let certificate = try? Certificate(pemEncoded: pem),
            let key = try? Certificate.PrivateKey(pemEncoded: keyPEM), key.publicKey == certificate.publicKey
        else { return nil }
        return Identity(certificate: certificate, key: key)
    }

    private func kept(_ identity: Identity, as name: String) throws -> Identity {
        guard let path else { return identity }
        let key = Data(try identity.key.serializeAsPEM().pemString.utf8)
        try PrivateFile.write(key, to: "\(path)/\(name).key")
        let certificate = Data(try identity.certificate.serializeAsPEM().pemString.utf8)
        try OutputFile.write(certificate, to: "\(path)/\(name).pem")
        return identity
    }
}

package import Foundation
import NIOCore
package import NIOSSL
import PushModel

/// The TLS identity of a server: a chain of certificates, and the key of the first one.
package struct ServerIdentity: Sendable {
    /// The chain, with the server's own certificate first.
    package let chain: [NIOSSLCertificate]
    package let key: NIOSSLPrivateKey
    /// The end of the validity of the server's own certificate.
    let notAfter: Date
    /// The contents of the files that both were read from.
    let files: [Data]
    /// TLS with the identity.
    let context: NIOSSLContext

    /// The problem with the files.
    package struct Problem: Error, Equatable, CustomStringConvertible {
        package var description: String

        init(_ description: String) { self.description = description }
    }

    /// `certificates` is a PEM file with the chain, the server's own certificate first. `keyFile` is a PEM file with
    /// its key, without a passphrase. `now` is the system clock's time, against which clients validate. `protocols` is the protocols offered
    /// in ALPN.
    /// - Throws: ``Problem`` when one of the files cannot be read or is empty, when they do not belong together, or
    ///   when the server's certificate is not valid now.
    package init(
        certificates: String,
        key keyFile: String,
        protocols: [String] = [],
        at now: Date
    ) throws(Problem) {
        files = [try Self.read(certificates), try Self.read(keyFile)]
        do { chain = try NIOSSLCertificate.fromPEMBytes(Array(files[0]).normalizedPEM) } catch { chain = [] }
        guard let own = chain.first else {
            throw Problem("'\(certificates)' holds no certificate; expected '-----BEGIN CERTIFICATE-----'.")
        }
        notAfter = Date(timeIntervalSince1970: TimeInterval(own.notValidAfter))
        do { key = try NIOSSLPrivateKey(bytes: Array(files[1]).normalizedPEM, format: .pem) } catch {
            throw Problem("'\(keyFile)' holds no key; expected '-----BEGIN PRIVATE KEY-----', without a passphrase.")
        }
        do { context = try Self.context(chain, key: key, protocols: protocols) } catch {
            throw Problem(
                "The key in '\(keyFile)' is not that of the first certificate in '\(certificates)'; "
                    + "expected the server's own certificate before those of its authorities."
            )
        }
        guard now < notAfter else {
            throw Problem("The certificate in '\(certificates)' expired on \(notAfter.formatted(.iso8601)).")
        }
        let start = Date(timeIntervalSince1970: TimeInterval(own.notValidBefore))
        guard start <= now else {
            throw Problem("The certificate in '\(certificates)' is not valid before \(start.formatted(.iso8601)).")
        }
    }

    static func read(_ path: String) throws(Problem) -> Data {
        do { return try Data(contentsOf: URL(filePath: path)) } catch {
            throw Problem("'\(path)' cannot be read: \(FileWords.reason(of: error) ?? error.localizedDescription)")
        }
    }

    private static func context(
        _ chain: [NIOSSLCertificate],
        key: NIOSSLPrivateKey,
        protocols: [String]
    ) throws -> NIOSSLContext {
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        tls.requireModernCiphers()
        tls.applicationProtocols = protocols
        // Clients that keep idle connections do not notice that they end; a service that stops would wait for each.
        tls.shutdownTimeout = .milliseconds(500)
        return try NIOSSLContext(configuration: tls)
    }
}

extension NIOSSLCertificate {
    /// Reads the certificates of a file in PEM, in its order.
    ///
    /// - Throws: if the file cannot be read, or holds no certificate.
    package static func read(_ path: String) throws -> [NIOSSLCertificate] {
        try fromPEMBytes(Array(try Data(contentsOf: URL(filePath: path))).normalizedPEM)
    }
}

extension TLSConfiguration {
    /// The TLS 1.2 cipher suites with an ephemeral key exchange and authenticated encryption. CBC suites have been
    /// broken by timing attacks on servers, and HTTP/2 forbids them (RFC 9113, appendix A). TLS 1.3 has no suites to
    /// exclude.
    private static let modernCiphers: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    /// Requires TLS 1.2 or later, and these cipher suites for TLS 1.2.
    package mutating func requireModernCiphers() {
        minimumTLSVersion = .tlsv12
        cipherSuiteValues = Self.modernCiphers
    }
}

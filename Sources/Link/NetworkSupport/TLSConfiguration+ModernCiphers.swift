package import NIOSSL

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

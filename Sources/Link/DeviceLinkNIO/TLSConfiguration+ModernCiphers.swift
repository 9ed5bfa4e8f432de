package import NIOSSL

extension TLSConfiguration {
    /// The cipher suites of TLS 1.2 with an ephemeral key exchange and authenticated encryption. Those in CBC mode have been broken
    /// by what a server's timing tells, and HTTP/2 forbids them (RFC 9113, appendix A). TLS 1.3 has none that would have to go.
    private static let modernCiphers: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    /// Agrees on TLS 1.2 or later, and on TLS 1.2 only with these cipher suites.
    package mutating func requireModernCiphers() {
        minimumTLSVersion = .tlsv12
        cipherSuiteValues = Self.modernCiphers
    }
}

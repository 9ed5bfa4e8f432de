import NIOSSL

extension APNSCertificate {
    /// The certificate itself, without those of its issuers and without the key.
    ///
    /// - Throws: what the encoder of DER may.
    package func der() throws -> [UInt8] {
        // The initializers put the certificate of the key first.
        try chain[0].toDERBytes()
    }
}

import NIOSSL

extension APNSCertificate {
    /// Returns the certificate itself, without those of its issuers and without the key.
    ///
    /// - Throws: any error of the DER encoder.
    package func der() throws -> [UInt8] {
        // The initializers put the certificate of the key first.
        try chain[0].toDERBytes()
    }
}

/// The reason why a file is not a usable credential.
package enum UnusableCredential: String, Codable, Sendable, CaseIterable {
    case unreadable
    case wrongPassword = "wrong_password"
    /// A certificate without its private key.
    case keyMissing = "key_missing"
    /// A private key without a certificate.
    case certificateMissing = "certificate_missing"
    /// The private key belongs to another certificate.
    case keyMismatch = "key_mismatch"
    /// The certificate is not for pushes.
    case notForPushes = "not_for_pushes"
    case otherBundleID = "other_bundle_id"
    /// The certificate does not open the environment that was asked for.
    case otherEnvironment = "other_environment"
    case expired
    case notYetValid = "not_yet_valid"
}

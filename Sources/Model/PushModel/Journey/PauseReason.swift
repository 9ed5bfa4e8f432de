/// The problem to fix before a message is sent.
public enum PauseReason: String, Hashable, Sendable, Codable, CaseIterable {
    /// The app has no APNs credential for the environment.
    case noCredential
    /// APNs refuses the credential.
    case credentialRefused
    /// None of the app's credentials is made for the topic of the push in the environment.
    case credentialScope
    /// The app's certificate for the environment has expired.
    case certificateExpired
}

/// The two kinds of credentials.
package enum CredentialKind: String, Codable, Sendable, CaseIterable { case p8, certificate }

package import Foundation
package import PushModel

/// A key or certificate of an app's set, as stored on disk: the secret is sealed, all else can be read.
///
/// An app has at most ``most`` of them. Which one sends a push is decided by ``choice(among:for:in:at:)``.
package struct SealedCredential: Hashable, Sendable, Identifiable {
    /// Unique in the store; 0 before the credential is stored.
    package typealias ID = Int64

    /// The maximum number of credentials of an app: more than a rotation of keys for each topic needs.
    package static let most = 100

    /// The facts about a key (p8).
    package struct Key: Hashable, Sendable {
        package var id: String
        package var teamID: String

        package init(id: String, teamID: String) {
            self.id = id
            self.teamID = teamID
        }
    }

    /// The facts about a certificate.
    package struct Certificate: Hashable, Sendable {
        /// The bundle id that it was issued for.
        package var bundleID: String
        /// The topics that it names; nil for one that a version stored which did not note them: those of the bundle id.
        package var topics: [String]?
        package var notAfter: Date
        /// The SHA-256 of the certificate in DER, which identifies it without opening it.
        package var fingerprint: [UInt8]
        /// The number of days before expiry at the last warning; nil before the first.
        package var warnedDays: Int?

        package init(
            bundleID: String,
            topics: [String]?,
            notAfter: Date,
            fingerprint: [UInt8],
            warnedDays: Int? = nil
        ) {
            self.bundleID = bundleID
            self.topics = topics
            self.notAfter = notAfter
            self.fingerprint = fingerprint
            self.warnedDays = warnedDays
        }
    }

    package enum Content: Hashable, Sendable {
        case key(Key)
        case certificate(Certificate)
    }

    package var id: ID
    package var app: App.ID
    package var content: Content
    package var origin: CredentialOrigin
    package var scope: CredentialScope
    /// The private key; for a certificate, the uploaded file with its passphrase.
    package var sealed: [UInt8]
    package var addedAt: Date
    /// The answers of APNs that are known.
    package var answers: KnownAnswers

    package init(
        id: ID = 0,
        app: App.ID,
        _ content: Content,
        origin: CredentialOrigin = .operator,
        scope: CredentialScope = CredentialScope(),
        sealed: [UInt8],
        addedAt: Date,
        answers: KnownAnswers = KnownAnswers()
    ) {
        self.id = id
        self.app = app
        self.content = content
        self.origin = origin
        self.scope = scope
        self.sealed = sealed
        self.addedAt = addedAt
        self.answers = answers
    }

    package var key: Key? { if case .key(let key) = content { key } else { nil } }
    package var certificate: Certificate? {
        if case .certificate(let certificate) = content { certificate } else { nil }
    }

    package var kind: CredentialKind {
        switch content {
        case .key: .p8
        case .certificate: .certificate
        }
    }
}

/// The one who added a credential.
package enum CredentialOrigin: String, Codable, Sendable, CaseIterable {
    /// The command line, the portal or the API of operators.
    case `operator`
    /// JPush's Admin API, whose uploads replace each other.
    case developer
    /// A version of Posthorn in which an app had one key, and one certificate for each environment.
    case earlier
}

/// The environments and topics that a credential is used for.
package struct CredentialScope: Hashable, Sendable {
    /// The maximum number of topics. Source: Apple, "Establishing a token-based connection to APNs", read November 2026: a
    /// topic-specific key has up to 400.
    package static let mostTopics = 400
    /// The maximum length of a topic in bytes: a bundle id of 155 characters, which is the limit of App Store Connect, and a suffix.
    package static let topicBytes = 255

    /// The environments; not empty.
    package var environments: Set<APNSEnvironment>
    /// Whether somebody has named the environments: a credential for just one of them then goes before one for both.
    package var namesEnvironments: Bool
    /// The topics, with or without the suffixes of push types; nil for all topics of the team, or all that the certificate names.
    package var topics: [String]?

    package init(
        environments: Set<APNSEnvironment> = Set(APNSEnvironment.allCases),
        namesEnvironments: Bool = false,
        topics: [String]? = nil
    ) {
        self.environments = environments
        self.namesEnvironments = namesEnvironments
        self.topics = topics
    }
}

package import PushModel
import SwiftASN1

/// The push-related facts of an Apple certificate, read from its DER (RFC 5280, section 4.1).
///
/// Source: Apple, "Establishing a certificate-based connection to APNs", read October 2026.
package struct CertificateFacts: Hashable, Sendable {
    /// A value of `apns-topic`, and the kind of push it is for: `app`, `voip` or `complication`.
    package struct Topic: Hashable, Sendable {
        package var name: String
        package var kind: String

        package init(name: String, kind: String) {
            self.name = name
            self.kind = kind
        }
    }

    /// The topics of the extension 1.2.840.113635.100.6.3.6; empty without it.
    package let listedTopics: [Topic]
    /// The values of `apns-topic`: those of the extensions, also of the one of VoIP certificates; without them, the subject's `UID`.
    package let topics: [String]
    /// The environments by the extensions .3.1 and .3.2; both if neither is present.
    package let environments: Set<APNSEnvironment>
    /// Whether there is an extension for pushes.
    package let isForPushes: Bool
    /// The bundle id of the certificate's app.
    package let userID: String?
    /// The common name, such as `Apple Push Services: com.example.app`.
    package let commonName: String?
    package let teamID: String?

    /// - Throws: if the octets are no certificate.
    package init(der: [UInt8]) throws {
        let signed = try DER.parse(der).children
        guard var rest = signed.first?.children[...] else { throw Malformed() }
        if rest.first?.identifier == Self.version { rest.removeFirst() }
        // Serial number, algorithm, issuer, validity, subject, public key; then the optional fields.
        guard rest.count >= 6 else { throw Malformed() }
        let subject = try Self.subject(rest[rest.startIndex + 4])
        let wrapped = rest.first { $0.identifier == Self.extensions }
        let extensions = try Self.extensions(wrapped?.children.first?.children ?? [])
        userID = subject[CertificateObject.userID]
        commonName = subject[CertificateObject.commonName]
        teamID = subject[CertificateObject.organizationalUnit]
        listedTopics = Self.topics(extensions[CertificateObject.topics])
        let listed = (listedTopics + Self.topics(extensions[CertificateObject.voipTopics])).map(\.name)
        topics = listed.isEmpty ? [userID].compactMap(\.self) : listed
        let kinds = [
            CertificateObject.development, CertificateObject.production, CertificateObject.voipTopics,
            CertificateObject.topics,
        ]
        isForPushes = kinds.contains { extensions[$0] != nil }
        var named: Set<APNSEnvironment> = []
        if extensions[CertificateObject.development] != nil { named.insert(.development) }
        if extensions[CertificateObject.production] != nil { named.insert(.production) }
        environments = named.isEmpty ? Set(APNSEnvironment.allCases) : named
    }

    private struct Malformed: Error {}

    /// Reads the first value of each attribute.
    private static func subject(_ name: ASN1Node) throws -> [ASN1ObjectIdentifier: String] {
        var values: [ASN1ObjectIdentifier: String] = [:]
        for attribute in name.children.flatMap(\.children) {
            guard attribute.children.count == 2, let text = attribute.children[1].text else { continue }
            let kind = try ASN1ObjectIdentifier(derEncoded: attribute.children[0])
            if values[kind] == nil { values[kind] = text }
        }
        return values
    }

    /// Reads the DER inside each extension.
    private static func extensions(_ nodes: [ASN1Node]) throws -> [ASN1ObjectIdentifier: ArraySlice<UInt8>] {
        var values: [ASN1ObjectIdentifier: ArraySlice<UInt8>] = [:]
        for node in nodes {
            guard let kind = node.children.first, let value = node.children.last else { throw Malformed() }
            values[try ASN1ObjectIdentifier(derEncoded: kind)] = try ASN1OctetString(derEncoded: value).bytes
        }
        return values
    }

    /// Reads a sequence of names, each followed by a sequence with its kind; returns none for any other value.
    private static func topics(_ value: ArraySlice<UInt8>?) -> [Topic] {
        var topics: [Topic] = []
        for node in value.flatMap({ try? DER.parse($0) })?.children ?? [] {
            if let name = node.text {
                topics.append(Topic(name: name, kind: "app"))
            } else if let last = topics.indices.last, let kind = node.children.lazy.compactMap(\.text).first {
                topics[last].kind = kind
            }
        }
        return topics
    }

    private static let version = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
    private static let extensions = ASN1Identifier(tagWithNumber: 3, tagClass: .contextSpecific)
}

extension ASN1Node {
    /// The text of a string; nil for anything else.
    fileprivate var text: String? {
        switch (identifier, content) {
        case (.utf8String, .primitive(let bytes)), (.printableString, .primitive(let bytes)),
            (.ia5String, .primitive(let bytes)):
            String(validating: bytes, as: UTF8.self)
        default: nil
        }
    }
}

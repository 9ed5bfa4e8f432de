import NIOSSL
import NetworkSupport
import PushModel
import SwiftASN1

/// The push-related facts of an Apple certificate, read from its DER (RFC 5280, section 4.1).
struct CertificateFacts {
    let topics: [String]
    let environments: Set<APNSEnvironment>
    /// Whether there is an extension for pushes.
    let isForPushes: Bool
    let commonName: String?
    let organizationalUnit: String?

    init(_ certificate: NIOSSLCertificate) throws {
        let signed = try DER.parse(try certificate.toDERBytes()).children
        guard var rest = signed.first?.children[...] else { throw Malformed() }
        if rest.first?.identifier == Self.version { rest.removeFirst() }
        // Serial number, algorithm, issuer, validity, subject, public key; then the optional fields.
        guard rest.count >= 6 else { throw Malformed() }
        let subject = try Self.subject(rest[rest.startIndex + 4])
        let wrapped = rest.first { $0.identifier == Self.extensions }
        let extensions = try Self.extensions(wrapped?.children.first?.children ?? [])
        let listed = [CertificateObject.topics, CertificateObject.voipTopics].compactMap { extensions[$0] }.flatMap(
            Self.topics
        )
        topics = listed.isEmpty ? [subject[CertificateObject.userID]].compactMap(\.self) : listed
        let kinds = [
            CertificateObject.development, CertificateObject.production, CertificateObject.voipTopics,
            CertificateObject.topics,
        ]
        isForPushes = kinds.contains { extensions[$0] != nil }
        var named: Set<APNSEnvironment> = []
        if extensions[CertificateObject.development] != nil { named.insert(.development) }
        if extensions[CertificateObject.production] != nil { named.insert(.production) }
        environments = named.isEmpty ? Set(APNSEnvironment.allCases) : named
        commonName = subject[CertificateObject.commonName]
        organizationalUnit = subject[CertificateObject.organizationalUnit]
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
    private static func topics(_ value: ArraySlice<UInt8>) -> [String] {
        (try? DER.parse(value))?.children.compactMap(\.text) ?? []
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

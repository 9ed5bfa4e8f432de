package import SwiftASN1

/// The object identifiers of a PKCS#12 bundle (RFC 7292).
package enum PKCS12 {
    package static let data: ASN1ObjectIdentifier = "1.2.840.113549.1.7.1"
    package static let keyBag: ASN1ObjectIdentifier = "1.2.840.113549.1.12.10.1.1"
    package static let shroudedKeyBag: ASN1ObjectIdentifier = "1.2.840.113549.1.12.10.1.2"
    package static let certificateBag: ASN1ObjectIdentifier = "1.2.840.113549.1.12.10.1.3"
    package static let x509Certificate: ASN1ObjectIdentifier = "1.2.840.113549.1.9.22.1"
}

extension DER {
    /// Returns the octets of a sequence.
    package static func sequence(_ write: (inout Serializer) throws -> Void) throws -> [UInt8] {
        var serializer = Serializer()
        try serializer.sequence(write)
        return serializer.serializedBytes
    }
}

extension DER.Serializer {
    package mutating func sequence(_ write: (inout DER.Serializer) throws -> Void) throws {
        try appendConstructedNode(identifier: .sequence, write)
    }

    package mutating func tagged(_ number: UInt, _ write: (inout DER.Serializer) throws -> Void) throws {
        try serialize(explicitlyTaggedWithTagNumber: number, tagClass: .contextSpecific, write)
    }

    package mutating func octets(_ content: [UInt8]) throws {
        try serialize(ASN1OctetString(contentBytes: content[...]))
    }

    /// A sequence of an object identifier and a value: an `AlgorithmIdentifier`, for example.
    package mutating func typed(_ kind: ASN1ObjectIdentifier, _ write: (inout DER.Serializer) throws -> Void) throws {
        try sequence { coder in
            try coder.serialize(kind)
            try write(&coder)
        }
    }

    /// A `SafeBag` without attributes, a `CertBag`, or a `ContentInfo`.
    package mutating func bag(_ kind: ASN1ObjectIdentifier, _ write: (inout DER.Serializer) throws -> Void) throws {
        try typed(kind) { try $0.tagged(0, write) }
    }
}

extension String {
    package var bigEndianUTF16: [UInt8] { utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } }
}

extension ASN1Node {
    /// The child nodes; empty for a node of octets.
    package var children: [ASN1Node] {
        switch content {
        case .constructed(let nodes): Array(nodes)
        case .primitive: []
        }
    }
}

package import Foundation
package import PushModel
import SwiftASN1
import X509

extension GatewayAuthority {
    /// What Apple's site asks for before it issues a push certificate.
    package struct PushOrder: Sendable {
        package var appID: AppID
        package var teamID: String
        package var environments: Set<APNSEnvironment>

        /// * `environments`: not empty; both make the certificate that Apple calls "Sandbox & Production".
        package init(appID: AppID, teamID: String, environments: Set<APNSEnvironment>) {
            self.appID = appID
            self.teamID = teamID
            self.environments = environments
        }
    }

    /// Issues a push certificate for the key of a request.
    ///
    /// - Throws: when push is off for the App ID, or the authority is not the gateway's own.
    package func issue(_ order: PushOrder, to request: CertificateRequest, at now: Date) throws -> PushCertificate {
        try issue(order, to: request.publicKey, at: now)
    }

    /// Issues a push certificate for a key that was made here.
    ///
    /// - Throws: when push is off for the App ID, or the authority is not the gateway's own.
    package func issue(_ order: PushOrder, to key: CertificateKey, at now: Date) throws -> PushCertificate {
        try issue(order, to: key.publicKey, at: now)
    }

    /// Whether it can issue certificates: not when the gateway's own was made elsewhere.
    package var canIssue: Bool { issuer != nil }

    /// Whether a certificate was signed by this authority.
    package func hasIssued(_ certificate: PushCertificate) -> Bool {
        guard let issuer = issuer?.certificate, certificate.certificate.issuer == issuer.subject else { return false }
        return issuer.publicKey.isValidSignature(certificate.certificate.signature, for: certificate.certificate)
    }

    private func issue(
        _ order: PushOrder,
        to publicKey: Certificate.PublicKey,
        at now: Date
    ) throws -> PushCertificate {
        guard let issuer else {
            throw DeveloperProblem(
                "The gateway's certificate was made elsewhere, so it has no authority that could issue one. "
                    + "Use a data folder with an authority of the gateway's own."
            )
        }
        guard order.appID.hasPush else {
            throw DeveloperProblem(
                "Push is off for the App ID '\(order.appID.bundleID)', so it has no push certificates. "
                    + "'posthorn appid set \(order.appID.bundleID) --push on' turns it on."
            )
        }
        return PushCertificate(
            try Certificate(
                version: .v3,
                serialNumber: Certificate.SerialNumber(),
                publicKey: publicKey,
                // For clocks that differ a little.
                notValidBefore: now.addingTimeInterval(-600),
                // 13 months, as Apple's; TLS trusts no chain beyond the end of its authority.
                notValidAfter: min(now.addingTimeInterval(395 * 86400), issuer.certificate.notValidAfter),
                issuer: issuer.certificate.subject,
                subject: order.subject,
                extensions: try order.extensions(publicKey, issuer: issuer.key.publicKey),
                issuerPrivateKey: issuer.key
            )
        )
    }
}

extension GatewayAuthority.PushOrder {
    /// As Apple names them. A certificate for production alone is one of the old kind; today's are for both.
    private var service: String {
        switch (environments.contains(.development), environments.contains(.production)) {
        case (true, false): "Apple Development IOS Push Services"
        case (false, true): "Apple Production IOS Push Services"
        default: "Apple Push Services"
        }
    }

    fileprivate var subject: DistinguishedName {
        get throws {
            DistinguishedName([
                RelativeDistinguishedName(.init(type: PushCertificate.ObjectID.userID, utf8String: appID.bundleID)),
                RelativeDistinguishedName(
                    .init(type: PushCertificate.ObjectID.commonName, utf8String: "\(service): \(appID.bundleID)")
                ),
                RelativeDistinguishedName(
                    .init(type: PushCertificate.ObjectID.organizationalUnit, utf8String: teamID)
                ),
                RelativeDistinguishedName(
                    .init(type: .RDNAttributeType.organizationName, utf8String: "Posthorn")
                ),
            ])
        }
    }

    fileprivate func extensions(
        _ key: Certificate.PublicKey,
        issuer: Certificate.PublicKey
    ) throws -> Certificate.Extensions {
        var extensions = try Certificate.Extensions {
            Critical(BasicConstraints.notCertificateAuthority)
            Critical(KeyUsage(digitalSignature: true))
            Critical(try ExtendedKeyUsage([.clientAuth]))
            SubjectKeyIdentifier(hash: key)
            AuthorityKeyIdentifier(keyIdentifier: SubjectKeyIdentifier(hash: issuer).keyIdentifier)
        }
        let null: ArraySlice<UInt8> = [0x05, 0x00]
        if environments.contains(.development) {
            try extensions.append(.init(oid: PushCertificate.ObjectID.development, critical: false, value: null))
        }
        if environments.contains(.production) {
            try extensions.append(.init(oid: PushCertificate.ObjectID.production, critical: false, value: null))
        }
        if environments.count > 1 {
            // Certificates for one environment have the app's topic alone, which their UID says.
            let value = try topics()
            try extensions.append(.init(oid: PushCertificate.ObjectID.topics, critical: false, value: value[...]))
        }
        return extensions
    }

    private func topics() throws -> [UInt8] {
        let suffixes = [("", "app"), (".voip", "voip"), (".complication", "complication")]
        var serializer = DER.Serializer()
        try serializer.appendConstructedNode(identifier: .sequence) { coder in
            for (suffix, kind) in suffixes {
                try coder.serialize(ASN1UTF8String(appID.bundleID + suffix))
                try coder.appendConstructedNode(identifier: .sequence) { try $0.serialize(ASN1UTF8String(kind)) }
            }
        }
        return serializer.serializedBytes
    }
}

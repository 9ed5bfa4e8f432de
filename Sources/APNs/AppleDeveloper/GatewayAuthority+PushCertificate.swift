package import Foundation
import NetworkSupport
package import PushModel
import SwiftASN1
package import X509

extension GatewayAuthority {
    /// The facts that Apple's site asks for before it issues a push certificate.
    package struct PushOrder: Sendable {
        package var appID: AppID
        package var teamID: String
        package var environments: Set<APNSEnvironment>

        /// `environments` is not empty; both environments make the certificate that Apple calls "Sandbox & Production".
        package init(appID: AppID, teamID: String, environments: Set<APNSEnvironment>) {
            self.appID = appID
            self.teamID = teamID
            self.environments = environments
        }
    }

    /// Whether the authority can issue certificates; false if the gateway's certificate was supplied from outside.
    package var canIssue: Bool { issuer != nil }

    /// Whether a certificate was signed by this authority.
    package func hasIssued(_ certificate: PushCertificate) -> Bool {
        guard let issuer = issuer?.certificate, certificate.certificate.issuer == issuer.subject else { return false }
        return issuer.publicKey.isValidSignature(certificate.certificate.signature, for: certificate.certificate)
    }

    /// Issues a push certificate for a key that was generated here, or that of a signing request.
    ///
    /// - Throws: if push is off for the App ID, or the authority is not the gateway's own.
    package func issue(_ order: PushOrder, to key: Certificate.PublicKey, at now: Date) throws -> PushCertificate {
        guard let issuer else {
            throw DeveloperProblem(
                "The gateway's certificate was supplied from outside, so it has no authority that could issue one. "
                    + "Use a data folder with an authority of the gateway's own."
            )
        }
        guard order.appID.hasPush else {
            throw DeveloperProblem(
                "Push is off for the App ID '\(order.appID.bundleID)', so it has no push certificates. "
                    + "'posthorn appid set \(order.appID.bundleID) --push on' turns it on."
            )
        }
        return try PushCertificate(
            Certificate(
                version: .v3,
                serialNumber: Certificate.SerialNumber(),
                publicKey: key,
                // Tolerates small clock differences.
                notValidBefore: now.addingTimeInterval(-600),
                // 13 months, like Apple's; TLS trusts no chain beyond the expiry of its authority.
                notValidAfter: min(now.addingTimeInterval(395 * 86400), issuer.certificate.notValidAfter),
                issuer: issuer.certificate.subject,
                subject: order.subject,
                extensions: try order.extensions(key, issuer: issuer.key.publicKey),
                issuerPrivateKey: issuer.key
            )
        )
    }
}

extension GatewayAuthority.PushOrder {
    /// The certificate's name as Apple writes it. A production-only certificate is of the old kind; current ones are for both.
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
                RelativeDistinguishedName(.init(type: CertificateObject.userID, utf8String: appID.bundleID)),
                RelativeDistinguishedName(
                    .init(type: CertificateObject.commonName, utf8String: "\(service): \(appID.bundleID)")
                ),
                RelativeDistinguishedName(.init(type: CertificateObject.organizationalUnit, utf8String: teamID)),
                RelativeDistinguishedName(.init(type: .RDNAttributeType.organizationName, utf8String: "Posthorn")),
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
            try extensions.append(.init(oid: CertificateObject.development, critical: false, value: null))
        }
        if environments.contains(.production) {
            try extensions.append(.init(oid: CertificateObject.production, critical: false, value: null))
        }
        if environments.count > 1 {
            // A certificate for one environment covers only the app's topic, which is in its UID.
            let value = try topics()
            try extensions.append(.init(oid: CertificateObject.topics, critical: false, value: value[...]))
        }
        return extensions
    }

    private func topics() throws -> [UInt8] {
        let suffixes = [("", "app"), (".voip", "voip"), (".complication", "complication")]
        return try DER.sequence { coder in
            for (suffix, kind) in suffixes {
                try coder.serialize(ASN1UTF8String(appID.bundleID + suffix))
                try coder.sequence { try $0.serialize(ASN1UTF8String(kind)) }
            }
        }
    }
}

extension GatewayAuthority {
    /// Returns whether an authority in a PEM text has signed a certificate; nil if either cannot be read.
    package static func hasIssued(_ der: [UInt8], authorities pem: String) -> Bool? {
        guard let certificate = try? Certificate(derEncoded: der),
            let documents = try? PEMDocument.parseMultiple(pemString: pem),
            let authorities = try? documents.map({ try Certificate(pemDocument: $0) })
        else { return nil }
        return authorities.contains { $0.publicKey.isValidSignature(certificate.signature, for: certificate) }
    }
}

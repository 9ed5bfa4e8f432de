import Foundation
import PushClock
package import PushModel

extension DeveloperController {
    /// An uploaded certificate file.
    package struct CertificateUpload: Sendable {
        package var environment: APNSEnvironment
        package var p12: [UInt8]
        package var passPhrase: String

        package init(environment: APNSEnvironment, p12: [UInt8], passPhrase: String) {
            (self.environment, self.p12, self.passPhrase) = (environment, p12, passPhrase)
        }
    }

    /// Stores sealed certificates of an app in place of the previous ones. The app takes on their bundle id, and pushes that wait
    /// for a credential are sent.
    ///
    /// - Throws: 1013 for an app that is not the developer's, 1014 without a file, 1012 for an unusable certificate, 1010 if the
    ///   app already has exactly these.
    package func upload(_ uploads: [CertificateUpload], to key: String, of developer: Developer) async throws {
        let (app, isDeleted) = try await owned(key, by: developer)
        guard !isDeleted else { throw JPushError.adminAppKeyIllegal(key) }
        guard !uploads.isEmpty else { throw JPushError.certificateMissing }
        var sealed: [SealedCertificate] = []
        var bundleIDs: Set<String> = []
        for upload in uploads {
            let (certificate, facts) = try await read(upload, for: app)
            bundleIDs.insert(facts.bundleID)
            do { sealed.append(try vault.seal(certificate, facts: facts, of: app.id, upload.environment)) } catch let
                error as UnusableCertificate
            { throw invalid(upload, error.description) }
        }
        // The app may have a certificate for the other environment.
        for environment in APNSEnvironment.allCases where !uploads.contains(where: { $0.environment == environment }) {
            if let kept = try await store.certificate(of: app.id, environment) { bundleIDs.insert(kept.topic) }
        }
        guard let bundleID = bundleIDs.first, bundleIDs.count == 1 else {
            let names = bundleIDs.sorted().joined(separator: "' and '")
            throw JPushError.certificateInvalid("The certificates are for different bundle ids, '\(names)'.")
        }
        try await refuseWhatIsKept(sealed, of: app)
        registry.apply(try await store.setCertificates(sealed, of: app.id, bundleID: bundleID))
        if bundleID != app.bundleID { try await forgetRefusals(of: app.id) }
        await notifier.credentialsChanged(of: app.id)
    }

    /// Resumes pushes to devices whose tokens were refused: APNs may accept them for another bundle id.
    private func forgetRefusals(of app: App.ID) async throws {
        var last: DeviceOrdinal?
        repeat {
            let devices = try await store.forgetRefusals(of: app, after: last, limit: Self.refusalsAtOnce)
            registry.apply(devices)
            last = devices.last?.id.ordinal
        } while last != nil
    }

    private static let refusalsAtOnce = 1000

    private func read(_ upload: CertificateUpload, for app: App) async throws -> (KeptCertificate, InspectedCertificate)
    {
        let facts: InspectedCertificate
        do {
            facts = try await inspector.inspect(upload.p12, passPhrase: upload.passPhrase)
                .choice(for: app.bundleID, in: upload.environment, at: clock.date).certificate
        } catch let error as UnusableCertificate { throw invalid(upload, error.description) }
        guard facts.environments.contains(upload.environment) else {
            throw invalid(upload, "It is not for \(upload.environment.rawValue); upload it for the other environment.")
        }
        guard facts.notAfter > clock.date else {
            throw invalid(upload, "It expired on \(facts.notAfter.formatted(.iso8601)).")
        }
        let certificate = KeptCertificate(
            file: upload.p12,
            passPhrase: upload.passPhrase,
            notAfter: facts.notAfter,
            fingerprint: facts.fingerprint
        )
        return (certificate, facts)
    }

    private func refuseWhatIsKept(_ certificates: [SealedCertificate], of app: App) async throws {
        for certificate in certificates {
            let kept = try await store.certificate(of: app.id, certificate.environment)
            guard kept?.fingerprint == certificate.fingerprint else { return }
        }
        throw JPushError.certificateExists("The app already has exactly this certificate.")
    }

    private func invalid(_ upload: CertificateUpload, _ reason: String) -> JPushError {
        .certificateInvalid("The certificate for \(upload.environment.rawValue) cannot be used: \(reason)")
    }
}

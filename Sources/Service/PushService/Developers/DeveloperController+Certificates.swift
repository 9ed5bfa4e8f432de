import Foundation
import PushClock
package import PushModel

extension DeveloperController {
    /// A file that somebody uploads.
    package struct CertificateUpload: Sendable {
        package var environment: APNSEnvironment
        package var p12: [UInt8]
        package var passPhrase: String

        package init(environment: APNSEnvironment, p12: [UInt8], passPhrase: String) {
            self.environment = environment
            self.p12 = p12
            self.passPhrase = passPhrase
        }
    }

    /// Keeps certificates of an app, sealed, in place of those before. The app has their bundle id from then on, and pushes that
    /// wait for a credential go out.
    ///
    /// - Throws: 1013 for an app that is not the developer's, 1014 without a file, 1012 for one that cannot be pushed with, 1010
    ///   when the app has exactly these already.
    package func upload(_ uploads: [CertificateUpload], to key: String, of developer: Developer) async throws {
        let (app, isDeleted) = try await owned(key, by: developer)
        guard !isDeleted else { throw JPushError.adminAppKeyIllegal(key) }
        guard !uploads.isEmpty else { throw JPushError.certificateMissing }
        var sealed: [SealedCertificate] = []
        var bundleIDs: Set<String> = []
        for upload in uploads {
            let (certificate, facts) = try await read(upload)
            bundleIDs.insert(facts.bundleID)
            do { sealed.append(try vault.seal(certificate, facts, of: app.id, upload.environment)) } catch let error
                as UnusableCertificate
            { throw invalid(upload, error.description) }
        }
        // The app may have one of the other environment.
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
    }

    /// What APNs has refused for one bundle id it may take for another.
    private func forgetRefusals(of app: App.ID) async throws {
        var last: DeviceOrdinal?
        repeat {
            let devices = try await store.forgetRefusals(of: app, after: last, limit: Self.refusalsAtOnce)
            registry.apply(devices)
            last = devices.last?.id.ordinal
        } while last != nil
    }

    private static let refusalsAtOnce = 1000

    private func read(_ upload: CertificateUpload) async throws -> (KeptCertificate, InspectedCertificate) {
        let facts: InspectedCertificate
        do { facts = try await inspector.inspect(p12: upload.p12, passPhrase: upload.passPhrase) } catch let error
            as UnusableCertificate
        { throw invalid(upload, error.description) }
        guard facts.environments.contains(upload.environment) else {
            throw invalid(upload, "It is not for \(upload.environment.rawValue); upload it as the other one.")
        }
        guard facts.notAfter > clock.date else {
            throw invalid(upload, "It expired on \(facts.notAfter.formatted(.iso8601)).")
        }
        let certificate = KeptCertificate(p12: upload.p12, passPhrase: upload.passPhrase, notAfter: facts.notAfter)
        return (certificate, facts)
    }

    private func refuseWhatIsKept(_ certificates: [SealedCertificate], of app: App) async throws {
        for certificate in certificates {
            let kept = try await store.certificate(of: app.id, certificate.environment)
            guard kept?.fingerprint == certificate.fingerprint else { return }
        }
        throw JPushError.certificateExists("The app has exactly this certificate already.")
    }

    private func invalid(_ upload: CertificateUpload, _ reason: String) -> JPushError {
        .certificateInvalid("The certificate for \(upload.environment.rawValue) cannot be used: \(reason)")
    }
}

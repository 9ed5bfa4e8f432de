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
            self.environment = environment
            self.p12 = p12
            self.passPhrase = passPhrase
        }
    }

    /// Stores sealed certificates of an app in place of those that were uploaded before. The app takes on their bundle id, and pushes
    /// that wait for a credential are sent. Keys and certificates that an operator has added stay.
    ///
    /// - Throws: 1013 for an app that is not the developer's, 1014 without a file, 1012 for an unusable certificate, 1010 if the
    ///   app already has exactly these.
    package func upload(_ uploads: [CertificateUpload], to key: String, of developer: Developer) async throws {
        let (app, isDeleted) = try await owned(key, by: developer)
        guard !isDeleted else { throw JPushError.adminAppKeyIllegal(key) }
        guard !uploads.isEmpty else { throw JPushError.certificateMissing }
        let kept = try await store.credentials(of: app.id)
        var change = CredentialChange(
            removing: kept.filter { $0.certificate != nil && $0.origin != .operator },
            from: Set(uploads.map(\.environment))
        )
        var bundleIDs: Set<String> = []
        for upload in uploads {
            let (certificate, facts) = try await read(upload, for: app)
            bundleIDs.insert(facts.bundleID)
            do {
                let sealed = try vault.sealed(
                    certificate,
                    facts: facts,
                    of: app.id,
                    origin: .developer,
                    scope: CredentialScope(environments: [upload.environment]),
                    at: clock.date
                )
                change.add.append(sealed)
            } catch let error as UnusableCertificate {
                throw invalid(upload, error.description)
            }
        }
        // The app may have certificates that these do not replace.
        for one in kept where !change.remove.contains(one.id) {
            if let certificate = one.certificate { bundleIDs.insert(certificate.bundleID) }
        }
        guard let bundleID = bundleIDs.first, bundleIDs.count == 1 else {
            let names = bundleIDs.sorted().joined(separator: "' and '")
            throw JPushError.certificateInvalid("The certificates are for different bundle ids, '\(names)'.")
        }
        guard !change.add.allSatisfy({ new in kept.contains { $0.isUsed(as: new) } }) else {
            throw JPushError.certificateExists("The app already has exactly this certificate.")
        }
        change.bundleID = bundleID
        do { registry.apply(try await store.change(change, of: app.id).app) } catch let error as TooManyCredentials {
            throw JPushError.certificateInvalid("\(error)")
        }
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

    private func invalid(_ upload: CertificateUpload, _ reason: String) -> JPushError {
        .certificateInvalid("The certificate for \(upload.environment.rawValue) cannot be used: \(reason)")
    }
}

extension SealedCredential {
    /// Whether it is the same certificate as a new one, in the same environments.
    fileprivate func isUsed(as new: SealedCredential) -> Bool {
        guard let certificate, let other = new.certificate else { return false }
        return certificate.fingerprint == other.fingerprint
            && new.scope.environments.isSubset(of: scope.environments)
    }
}

import Foundation
import PushClock
import PushModel

extension OperatorController {
    /// Adds a key or a certificate. A certificate without an environment is used in all environments that it opens.
    func addCredential(_ file: OperatorRequest.CredentialFile) async throws -> AddedCredential {
        let app = try await app(file.app)
        let added: CredentialFileAnswer
        switch (file.p8, file.certificate) {
        case (let p8?, nil):
            let credential = try Credential(p8: p8, keyID: file.keyID, teamID: file.teamID)
            try await vault.set(credential, of: app.id)
            added = CredentialFileAnswer(credential)
        case (nil, let certificate?): added = try await addCertificate(certificate, file, to: app)
        default: throw Self.credentialIsMissing
        }
        await notifier.credentialsChanged(of: app.id)
        let note = try await note(afterAdding: file.p8 == nil, to: app)
        let notes = [Self.note(about: added.leftOut ?? []), note].compactMap(\.self)
        return Both(
            try await showCredentials(of: app),
            AddedCredentialAnswer(added: added, note: notes.isEmpty ? nil : notes.found, noteRemarks: notes)
        )
    }

    /// Returns a remark about certificates of the file that the app does not use; nil for none.
    private static func note(about leftOut: [String]) -> Remark? {
        guard !leftOut.isEmpty else { return nil }
        return Remark(.noteLeftOut, ["names": leftOut.map { "'\($0)'" }.joined(separator: ", ")])
    }

    /// Returns a remark about the credential that the new one puts out of use, or that keeps the new one out of use.
    private func note(afterAdding isCertificate: Bool, to app: App) async throws -> Remark? {
        let hasUnused = try await credentials(of: app).contains { !$0.isUsed }
        guard hasUnused else { return nil }
        return isCertificate ? Remark(.noteCertificateUnused, ["app": app.key]) : Remark(.noteKeyFirst)
    }

    /// Reads a file as for adding it, and says whether the app could use it. Nothing is stored.
    func inspectCredential(_ file: OperatorRequest.CredentialFile) async throws -> InspectedFileAnswer {
        let app = try await app(file.app)
        switch (file.p8, file.certificate) {
        case (let p8?, nil):
            let credential = try Credential(p8: p8, keyID: file.keyID, teamID: file.teamID)
            return InspectedFileAnswer(read: CredentialFileAnswer(credential), usable: true, reason: nil, problem: nil)
        case (nil, let certificate?):
            let (_, facts, leftOut) = try await read(certificate, file, of: app)
            let problem = facts.problem(for: app, file.environment, at: clock.date)
            var read = CredentialFileAnswer(facts, leftOut: leftOut)
            read.daysLeft = CredentialFacts.daysLeft(facts.notAfter, at: clock.date)
            return InspectedFileAnswer(
                read: read,
                usable: problem == nil,
                reason: problem?.reason,
                problem: problem?.message,
                problemRemarks: [problem?.remark].compactMap(\.self)
            )
        default: throw Self.credentialIsMissing
        }
    }

    private static let credentialIsMissing = OperatorError(.badRequest, Remark(.credentialMissing))

    /// Reads a certificate in base64, and chooses the file's certificate for the app.
    private func read(
        _ certificate: String,
        _ given: OperatorRequest.CredentialFile,
        of app: App
    ) async throws -> (file: KeptCertificate, facts: InspectedCertificate, leftOut: [String]) {
        guard let file = Data(base64Encoded: certificate) else {
            throw JSONProblem("certificate", found: "text", expected: "the bytes of a file in base64")
        }
        let password = given.password ?? ""
        do {
            let (facts, leftOut) = try await inspector.inspect(Array(file), passPhrase: password)
                .choice(for: app.bundleID, in: given.environment, at: clock.date)
            let kept = KeptCertificate(
                file: Array(file),
                passPhrase: password,
                notAfter: facts.notAfter,
                fingerprint: facts.fingerprint
            )
            return (kept, facts, leftOut)
        } catch let error as UnusableCertificate {
            throw OperatorError(error)
        }
    }

    private func addCertificate(
        _ text: String,
        _ file: OperatorRequest.CredentialFile,
        to app: App
    ) async throws -> CredentialFileAnswer {
        let asked = file.environment
        let (certificate, facts, leftOut) = try await read(text, file, of: app)
        if let problem = facts.problem(for: app, asked, at: clock.date) { throw problem }
        let sealed: [SealedCertificate]
        do {
            sealed = try (asked.map { [$0] } ?? facts.environments.sorted { $0.rawValue < $1.rawValue }).map {
                try vault.seal(certificate, facts: facts, of: app.id, $0)
            }
        } catch let error as UnusableCertificate {
            throw OperatorError(error)
        }
        let changed = try await store.setCertificates(sealed, of: app.id, bundleID: facts.bundleID)
        registry?.apply(changed)
        return CredentialFileAnswer(facts, leftOut: leftOut)
    }

    /// Returns the credentials of all apps.
    func listCredentials() async throws -> CredentialListAnswer {
        var list: [Both<CredentialAnswer, AppNameAnswer>] = []
        for app in try await store.apps() {
            list += try await credentials(of: app).map { Both($0.answer(at: clock.date), AppNameAnswer(app)) }
        }
        return CredentialListAnswer(credentials: list)
    }

    func showCredentials(of app: App) async throws -> AppCredentialsAnswer {
        Both(AppNameAnswer(app), try await described(app))
    }

    /// Tries the credential at APNs.
    func testCredentials(
        of app: App,
        _ environment: APNSEnvironment?
    ) async throws -> Both<AppNameAnswer, CredentialTestsAnswer> {
        guard let trials = notifier.trials else {
            throw Self.noService(", and only the service knows which APNs to ask. Start 'posthorn serve'.")
        }
        let results = try await trials.test(app, environment.map { [$0] } ?? APNSEnvironment.allCases)
        return Both(AppNameAnswer(app), CredentialTestsAnswer(results: results.map(CredentialTestsAnswer.Result.init)))
    }

    /// Removes a key or certificate; the certificates of both environments if none is given.
    func removeCredential(
        of app: App,
        _ kind: CredentialKind,
        _ environment: APNSEnvironment?
    ) async throws -> AppCredentialsAnswer {
        let isRemoved: Bool
        switch kind {
        case .p8:
            guard environment == nil else { throw OperatorError(.badRequest, Remark(.keyForBothEnvironments)) }
            isRemoved = try await store.removeCredential(of: app.id)
        case .certificate:
            let environments = environment.map { [$0] } ?? APNSEnvironment.allCases
            isRemoved = try await store.removeCertificates(of: app.id, environments)
        }
        guard isRemoved else { throw OperatorError(.notFound, Remark(.noSuchCredential, ["app": app.key])) }
        await notifier.credentialsChanged(of: app.id)
        return try await showCredentials(of: app)
    }

    // MARK: - Parts

    /// Returns the credentials of an app, in the order in which the service prefers them.
    func credentials(of app: App) async throws -> [CredentialFacts] {
        let pauses = try await store.pauses(of: app.id)
        let key = try await store.credential(of: app.id).map { CredentialFacts.key($0, pauses: pauses) }
        var facts = key.map { [$0] } ?? []
        for environment in APNSEnvironment.allCases {
            guard let certificate = try await store.certificate(of: app.id, environment) else { continue }
            facts.append(.certificate(certificate, pause: key == nil ? pauses[environment] : nil, isUsed: key == nil))
        }
        return facts
    }

    func described(_ app: App) async throws -> CredentialsAnswer {
        let credentials = try await credentials(of: app)
        let verdict = CredentialFacts.verdict(credentials, at: clock.date)
        return CredentialsAnswer(
            credentials: credentials.map { $0.answer(at: clock.date) },
            verdict: verdict.found,
            verdictRemarks: verdict
        )
    }
}

extension Credential {
    /// The length of key ids and team ids.
    package static let idBytes = 10

    /// Creates the credential of parameters.
    init(p8: String, keyID: String?, teamID: String?) throws {
        func id(_ value: String?, _ member: String) throws -> String {
            guard let value, value.utf8.count == Self.idBytes else {
                throw JSONProblem(member, found: value.map { .string($0) }, expected: "ten characters")
            }
            return value
        }
        self.init(keyID: try id(keyID, "key_id"), teamID: try id(teamID, "team_id"), privateKey: p8)
        if let problem {
            throw OperatorError(.unusableCredential, Remark(.p8Unusable, ["detail": problem]), reason: .unreadable)
        }
    }
}

extension InspectedCertificate {
    /// The reason why an app cannot use the certificate in an environment, or in any; nil if it can.
    fileprivate func problem(for app: App, _ environment: APNSEnvironment?, at now: Date) -> OperatorError? {
        func refusal(
            _ reason: UnusableCredential,
            _ code: Remark.Code,
            with values: [String: any CustomStringConvertible]
        ) -> OperatorError {
            OperatorError(.unusableCredential, Remark(code, values), reason: reason)
        }
        if bundleID != app.bundleID {
            return refusal(
                .otherBundleID,
                .certificateForOtherApp,
                with: ["topic": bundleID, "bundleID": app.bundleID]
            )
        }
        if let environment, !environments.contains(environment) {
            let others = environments.map(\.rawValue).sorted().joined(separator: ", ")
            let values: [String: any CustomStringConvertible] = ["other": others, "environment": environment.rawValue]
            return refusal(.otherEnvironment, .certificateForOtherEnvironment, with: values)
        }
        if notAfter <= now { return refusal(.expired, .certificateOver, with: ["date": notAfter.formatted(.iso8601)]) }
        if notBefore > now {
            let values = ["date": notBefore.formatted(.iso8601), "now": now.formatted(.iso8601)]
            return refusal(.notYetValid, .certificateNotYetValid, with: values)
        }
        return nil
    }
}

extension OperatorError {
    /// The refusal of a file.
    fileprivate init(_ error: UnusableCertificate) {
        let code: Remark.Code =
            switch error.reason {
            case .wrongPassword: .filePasswordWrong
            case .keyMissing: .fileKeyMissing
            case .certificateMissing: .fileCertificateMissing
            case .keyMismatch: .fileKeyMismatch
            case .notForPushes: .fileNotForPushes
            case .unreadable, .otherBundleID, .otherEnvironment, .expired, .notYetValid: .fileUnreadable
            }
        self.init(.unusableCredential, Remark(code, ["detail": error.description]), reason: error.reason)
    }
}

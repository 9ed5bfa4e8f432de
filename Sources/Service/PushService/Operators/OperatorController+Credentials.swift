import Foundation
import PushClock
import PushModel

extension OperatorController {
    /// `{"app", "p8", "key_id", "team_id"}` or `{"app", "certificate", "password"?, "environment"?}`, with the bytes of the file in
    /// base64. A certificate without `environment` is used in all environments that it opens.
    func addCredential(_ parameters: JSONReader) async throws -> JSONObject {
        let app = try await app(parameters)
        let added: JSONObject
        switch (parameters["p8"], parameters["certificate"]) {
        case (.some, nil):
            let credential = try Credential(parameters)
            try await vault.set(credential, of: app.id)
            added = credential.members
        case (nil, .some): added = try await addCertificate(parameters, to: app)
        default: throw Self.credentialIsMissing
        }
        await notifier.credentialsChanged(of: app.id)
        var object = try await described(app)
        object["added"] = .object(added)
        let note = try await note(afterAdding: parameters["p8"] == nil, to: app)
        let leftOut = added["left_out"]?.array?.compactMap(\.string) ?? []
        let notes = [Self.note(about: leftOut), note].compactMap(\.self)
        object["note"] = notes.isEmpty ? .null : .string(notes.found)
        object["note_remarks"] = notes.json
        return object
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

    /// The same members as for adding: reads the file and says whether the app could use it. Nothing is stored.
    func inspectCredential(_ parameters: JSONReader) async throws -> JSONObject {
        let app = try await app(parameters)
        switch (parameters["p8"], parameters["certificate"]) {
        case (.some, nil):
            let credential = try Credential(parameters)
            return [
                "read": .object(credential.members), "usable": true, "reason": .null, "problem": .null,
            ]
        case (nil, .some):
            let asked: APNSEnvironment? = try parameters.optional("environment", .word)
            let (_, facts, leftOut) = try await certificate(parameters, of: app, asked)
            let problem = facts.problem(for: app, asked, at: clock.date)
            var read = facts.members(leftOut: leftOut)
            read["days_left"] = .number(CredentialFacts.daysLeft(facts.notAfter, at: clock.date))
            return [
                "read": .object(read), "usable": .bool(problem == nil),
                "reason": problem?.reason.map { .string($0.rawValue) } ?? .null,
                "problem": problem.map { .string($0.message) } ?? .null,
                "problem_remarks": [problem?.remark].compactMap(\.self).json,
            ]
        default: throw Self.credentialIsMissing
        }
    }

    private static let credentialIsMissing = OperatorError(.badRequest, Remark(.credentialMissing))

    /// Reads the members `certificate` and `password`, and chooses the file's certificate for the app.
    private func certificate(
        _ parameters: JSONReader,
        of app: App,
        _ environment: APNSEnvironment?
    ) async throws -> (file: KeptCertificate, facts: InspectedCertificate, leftOut: [String]) {
        guard let file = Data(base64Encoded: try parameters.string("certificate")) else {
            throw parameters.problem("certificate", found: "text", expected: "the bytes of a file in base64")
        }
        let password = try parameters.optional("password", .string) ?? ""
        do {
            let (facts, leftOut) = try await inspector.inspect(Array(file), passPhrase: password)
                .choice(for: app.bundleID, in: environment, at: clock.date)
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

    private func addCertificate(_ parameters: JSONReader, to app: App) async throws -> JSONObject {
        let asked: APNSEnvironment? = try parameters.optional("environment", .word)
        let (certificate, facts, leftOut) = try await certificate(parameters, of: app, asked)
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
        return facts.members(leftOut: leftOut)
    }

    /// The credentials of all apps.
    func listCredentials() async throws -> JSONObject {
        var list: [JSONValue] = []
        for app in try await store.apps() {
            for credential in try await credentials(of: app) {
                var object = credential.members(at: clock.date)
                object["app"] = .string(app.key.text)
                object["bundle_id"] = .string(app.bundleID)
                list.append(.object(object))
            }
        }
        return ["credentials": .array(list)]
    }

    /// `{"app"}`.
    func showCredentials(_ parameters: JSONReader) async throws -> JSONObject {
        try await described(try await app(parameters))
    }

    /// `{"app", "environment"?}`: tries the credential at APNs.
    func testCredentials(_ parameters: JSONReader) async throws -> JSONObject {
        let app = try await app(parameters)
        guard let trials = notifier.trials else {
            let text =
                "No service runs on this data folder, and only the service knows which APNs to ask. Start 'posthorn serve'."
            throw OperatorError(.needsService, Remark(.serviceNeeded), message: text)
        }
        let asked: APNSEnvironment? = try parameters.optional("environment", .word)
        let results = try await trials.test(app, asked.map { [$0] } ?? APNSEnvironment.allCases)
        return [
            "app": .string(app.key.text), "bundle_id": .string(app.bundleID), "results": .array(results.map(\.json)),
        ]
    }

    /// `{"app", "kind": "p8" or "certificate", "environment"?}`; certificates of both environments without one.
    func removeCredential(_ parameters: JSONReader) async throws -> JSONObject {
        let app = try await app(parameters)
        let asked: APNSEnvironment? = try parameters.optional("environment", .word)
        let kinds = JSONForm<Bool>.word(of: [("p8", true), ("certificate", false)])
        let isRemoved: Bool
        if try parameters.need("kind", kinds) {
            guard asked == nil else {
                throw OperatorError(.badRequest, Remark(.keyForBothEnvironments))
            }
            isRemoved = try await store.removeCredential(of: app.id)
        } else {
            isRemoved = try await store.removeCertificates(of: app.id, asked.map { [$0] } ?? APNSEnvironment.allCases)
        }
        guard isRemoved else {
            throw OperatorError(.notFound, Remark(.noSuchCredential, ["app": app.key]))
        }
        await notifier.credentialsChanged(of: app.id)
        return try await described(app)
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

    private func described(_ app: App) async throws -> JSONObject {
        let credentials = try await credentials(of: app)
        let verdict = CredentialFacts.verdict(credentials, at: clock.date)
        return [
            "app": .string(app.key.text), "bundle_id": .string(app.bundleID),
            "credentials": .array(credentials.map { .object($0.members(at: clock.date)) }),
            "verdict": .string(verdict.found), "verdict_remarks": verdict.json,
        ]
    }
}

extension Credential {
    /// The length of key ids and team ids.
    package static let idBytes = 10

    /// Reads `p8`, `key_id` and `team_id`.
    init(_ parameters: JSONReader) throws {
        for member in ["key_id", "team_id"] {
            let value = try parameters.string(member)
            guard value.utf8.count == Self.idBytes else {
                throw parameters.problem(member, found: .string(value), expected: "ten characters")
            }
        }
        self.init(
            keyID: try parameters.string("key_id"),
            teamID: try parameters.string("team_id"),
            privateKey: try parameters.string("p8")
        )
        if let problem {
            throw OperatorError(.unusableCredential, Remark(.p8Unusable, ["detail": problem]), reason: .unreadable)
        }
    }

    /// The key as an operator sees it.
    fileprivate var members: JSONObject {
        ["kind": "p8", "key_id": .string(keyID), "team_id": .string(teamID)]
    }
}

extension InspectedCertificate {
    /// The certificate as an operator sees it.
    fileprivate func members(leftOut: [String]) -> JSONObject {
        [
            "left_out": .strings(leftOut), "kind": "certificate", "common_name": .orNull(commonName),
            "team_id": .orNull(teamID), "topics": .strings(topics),
            "environments": .array(environments.map(\.rawValue).sorted().map { .string($0) }),
            "not_before": .date(notBefore), "not_after": .date(notAfter),
        ]
    }

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

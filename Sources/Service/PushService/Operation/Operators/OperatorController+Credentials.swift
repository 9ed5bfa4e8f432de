import Foundation
import PushClock
import PushModel

extension OperatorController {
    /// Adds a key or a certificate to an app's set; nothing is replaced unless the file says so.
    ///
    /// A certificate without environments is used in all that it opens. A key without environments is tried at APNs in both: Apple
    /// issues keys for one environment or for both, and the file does not say which.
    func addCredential(_ file: OperatorRequest.CredentialFile) async throws -> AddedCredential {
        let app = try await app(file.app)
        let before = try await store.credentials(of: app.id)
        if let replaced = file.replace, !before.contains(where: { $0.id == replaced }) {
            throw Self.noCredential(replaced, of: app)
        }
        let (read, sealed) = try await read(file, for: app)
        if let same = before.first(where: { $0.id != file.replace && $0.isSame(as: sealed) }) {
            guard hasSameSecret(sealed, as: same) else {
                throw OperatorError(.conflict, Remark(.credentialExists, ["credential": same.name, "id": same.id]))
            }
            // Whoever adds a file wants to try it.
            notifier.trials?.forget(app.id)
            let notes = Self.note(about: read.leftOut ?? []) + [Remark(.noteExists, ["credential": same.name])]
            return Both(
                try await showCredentials(of: app),
                AddedCredentialAnswer(id: same.id, added: read, note: notes.found, noteRemarks: notes)
            )
        }
        let change = CredentialChange(add: [sealed], remove: file.replace.map { [$0] } ?? [])
        let id = try await store.change(change, of: app.id).added[0]
        await notifier.credentialsChanged(of: app.id)
        let learnt = file.p8 != nil && file.environment == nil ? try await learn(id, of: app) : []
        let notes = try await Self.note(about: read.leftOut ?? []) + learnt + notes(afterAdding: id, to: app, before)
        return Both(
            try await showCredentials(of: app),
            AddedCredentialAnswer(id: id, added: read, note: notes.isEmpty ? nil : notes.found, noteRemarks: notes)
        )
    }

    /// Whether two credentials of one name have the same private key. Then a script that runs again changes nothing.
    private func hasSameSecret(_ new: SealedCredential, as stored: SealedCredential) -> Bool {
        guard new.key != nil else { return true }
        guard let secret = try? vault.open(new), let other = try? vault.open(stored) else { return false }
        return secret == other
    }

    /// Reads a file as for adding it, and says whether the app could use it. Nothing is stored.
    func inspectCredential(_ file: OperatorRequest.CredentialFile) async throws -> InspectedFileAnswer {
        let app = try await app(file.app)
        _ = try file.scope(for: app)
        switch (file.p8, file.certificate) {
        case (let p8?, nil):
            let credential = try Credential(p8: p8, keyID: file.keyID, teamID: file.teamID)
            return InspectedFileAnswer(read: CredentialFileAnswer(credential), usable: true, reason: nil, problem: nil)
        case (nil, let certificate?):
            let (_, facts, leftOut) = try await read(certificate, file, of: app)
            let problem = facts.problem(for: app, file.environment?.environments ?? [], at: clock.date)
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

    /// Returns the credentials of all apps.
    func listCredentials() async throws -> CredentialListAnswer {
        var list: [Both<CredentialAnswer, AppNameAnswer>] = []
        for app in try await store.apps() {
            let facts = try await facts(about: app)
            list += facts.set.credentials.map { Both(facts.answer($0), AppNameAnswer(app)) }
        }
        return CredentialListAnswer(credentials: list)
    }

    func showCredentials(of app: App) async throws -> AppCredentialsAnswer {
        Both(AppNameAnswer(app), try await described(app))
    }

    /// Tries credentials at APNs: one of them in its environments, or in each environment those that send the app's pushes.
    func testCredentials(
        of app: App,
        _ id: SealedCredential.ID?,
        _ environment: APNSEnvironment?
    ) async throws -> Both<AppNameAnswer, CredentialTestsAnswer> {
        guard let tester = notifier.trials else {
            throw Self.noService(", and only the service knows which APNs to ask. Start 'posthorn serve'.")
        }
        let set = try await credentials(of: app)
        let environments = environment.map { [$0] } ?? APNSEnvironment.allCases
        let asked: [CredentialTrial]
        if let id {
            guard let one = set.credentials.first(where: { $0.id == id }) else { throw Self.noCredential(id, of: app) }
            asked = environments.filter { environment != nil || one.scope.environments.contains($0) }
                .map { CredentialTrial(app: app, environment: $0, credential: id) }
        } else {
            asked = environments.flatMap { trials(of: set, in: $0) }
        }
        let tests = try await tester.test(asked)
        let results = zip(asked, tests).map { trial, test in
            CredentialTestsAnswer.Result(
                test,
                of: set.credentials.first { $0.id == trial.credential },
                topic: trial.topic.topic(of: app.bundleID)
            )
        }
        for (trial, test) in zip(asked, tests) { try await record(test, of: trial, in: set) }
        return Both(AppNameAnswer(app), CredentialTestsAnswer(results: results))
    }

    /// The trial of an environment's notifications, and of each topic that another credential sends.
    private func trials(of set: CredentialSet, in environment: APNSEnvironment) -> [CredentialTrial] {
        let usual = set.choice(in: environment, at: clock.date)?.id
        let others = TopicKind.allCases.filter { topic in
            let chosen = set.choice(for: topic, in: environment, at: clock.date)?.id
            return topic != .notification && chosen != nil && chosen != usual
        }
        return ([.notification] + others).map { topic in
            let chosen = set.choice(for: topic, in: environment, at: clock.date)?.id
            return CredentialTrial(app: set.app, environment: environment, topic: topic, credential: chosen)
        }
    }

    /// Removes one credential, or those of a kind: the only key, or the certificates of all environments or of one.
    func removeCredential(_ removal: OperatorRequest.CredentialRemoval) async throws -> AppCredentialsAnswer {
        let app = try await app(removal.app)
        let change: CredentialChange
        switch (removal.credential, removal.kind) {
        case (let id?, nil):
            guard removal.environment == nil else { throw OperatorError(.badRequest, Remark(.removalUnclear)) }
            change = CredentialChange(remove: [id])
        case (nil, let kind?):
            change = try await self.change(removing: kind, removal.environment, of: app)
        default: throw OperatorError(.badRequest, Remark(.removalUnclear))
        }
        let result = try await store.change(change, of: app.id)
        if let id = result.unknown.first { throw Self.noCredential(id, of: app) }
        await notifier.credentialsChanged(of: app.id)
        return try await showCredentials(of: app)
    }

    private func change(
        removing kind: CredentialKind,
        _ environment: APNSEnvironment?,
        of app: App
    ) async throws -> CredentialChange {
        let all = try await store.credentials(of: app.id).filter { $0.kind == kind }
        var change = CredentialChange()
        switch kind {
        case .p8:
            guard environment == nil else { throw OperatorError(.badRequest, Remark(.removalUnclear)) }
            guard all.count < 2 else {
                let names = all.map(\.name).joined(separator: ", ")
                throw OperatorError(.conflict, Remark(.severalKeys, ["app": app.key, "credentials": names]))
            }
            change.remove = Set(all.map(\.id))
        case .certificate:
            change = CredentialChange(removing: all, from: environment.map { [$0] } ?? Set(APNSEnvironment.allCases))
        }
        guard change != CredentialChange() else {
            throw OperatorError(.notFound, Remark(.noSuchCredential, ["app": app.key]))
        }
        return change
    }

    // MARK: - Parts

    private static func noCredential(_ id: SealedCredential.ID, of app: App) -> OperatorError {
        OperatorError(.notFound, Remark(.credentialUnknown, ["id": id, "app": app.key]))
    }

    /// Returns what is known about the credentials of an app.
    func credentials(of app: App) async throws -> CredentialSet {
        CredentialSet(of: app, try await store.credentials(of: app.id))
    }

    func facts(about app: App) async throws -> CredentialFacts {
        CredentialFacts(
            set: try await credentials(of: app),
            pauses: try await store.pauses(of: app.id),
            now: clock.date
        )
    }

    func described(_ app: App) async throws -> CredentialsAnswer { try await facts(about: app).answer }
}

// Reading files.
extension OperatorController {
    private static let credentialIsMissing = OperatorError(.badRequest, Remark(.credentialMissing))

    /// Reads a file that is to be added.
    ///
    /// - Throws: ``OperatorError`` if the app cannot use it.
    private func read(
        _ file: OperatorRequest.CredentialFile,
        for app: App
    ) async throws -> (read: CredentialFileAnswer, sealed: SealedCredential) {
        var scope = try file.scope(for: app)
        switch (file.p8, file.certificate) {
        case (let p8?, nil):
            let credential = try Credential(p8: p8, keyID: file.keyID, teamID: file.teamID)
            let sealed = try vault.sealed(credential, of: app.id, scope: scope, at: clock.date)
            return (CredentialFileAnswer(credential), sealed)
        case (nil, let text?):
            let (certificate, facts, leftOut) = try await read(text, file, of: app)
            if let problem = facts.problem(for: app, file.environment?.environments ?? [], at: clock.date) {
                throw problem
            }
            if !scope.namesEnvironments { scope.environments = facts.environments }
            do {
                let sealed = try vault.sealed(
                    certificate,
                    facts: facts,
                    of: app.id,
                    origin: .operator,
                    scope: scope,
                    at: clock.date
                )
                return (CredentialFileAnswer(facts, leftOut: leftOut), sealed)
            } catch let error as UnusableCertificate {
                throw OperatorError(error)
            }
        default: throw Self.credentialIsMissing
        }
    }

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
                .choice(for: app.bundleID, in: given.environment?.only, at: clock.date)
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
}

// The findings about a credential that was added.
extension OperatorController {
    /// Returns a remark about certificates of the file that the app does not use; none if there are none.
    private static func note(about leftOut: [String]) -> [Remark] {
        guard !leftOut.isEmpty else { return [] }
        return [Remark(.noteLeftOut, ["names": leftOut.map { "'\($0)'" }.joined(separator: ", ")])]
    }

    /// Returns remarks about the credentials that go before the new one, or that it goes before.
    private func notes(
        afterAdding id: SealedCredential.ID,
        to app: App,
        _ before: [SealedCredential]
    ) async throws -> [Remark] {
        let now = clock.date
        let set = try await credentials(of: app)
        func isUsed(_ id: SealedCredential.ID) -> Bool { !set.uses(of: id, at: now).isEmpty }
        let destinations = CredentialSet.destinations(of: app)
        guard isUsed(id) else {
            let first = Set(destinations.compactMap { set.choice(for: $0.topic, in: $0.environment, at: now)?.id })
            let names = set.credentials.filter { first.contains($0.id) }.map(\.name).joined(separator: ", ")
            return [Remark(.noteUnused, ["credentials": names])]
        }
        let earlier = CredentialSet(of: app, before)
        let replaced = set.credentials.filter { one in
            one.id != id && !isUsed(one.id) && !earlier.uses(of: one.id, at: now).isEmpty
        }
        guard !replaced.isEmpty else { return [] }
        let names = replaced.map(\.name).joined(separator: ", ")
        return [Remark(.noteTakesOver, ["credentials": names, "app": app.key])]
    }

    /// Asks APNs which environments a key is for, and records the answers.
    ///
    /// - Returns: a remark for each environment.
    private func learn(_ id: SealedCredential.ID, of app: App) async throws -> [Remark] {
        guard let tester = notifier.trials else { return [Remark(.learntNothing)] }
        let set = try await credentials(of: app)
        let trials = APNSEnvironment.allCases.map { CredentialTrial(app: app, environment: $0, credential: id) }
        let tests = try await tester.test(trials)
        for (trial, test) in zip(trials, tests) { try await record(test, of: trial, in: set) }
        // A person who tries it now is not told to wait.
        await tester.credentialsChanged(of: app.id)
        return tests.map { test in
            let environment = test.environment.rawValue
            if test.isAccepted { return Remark(.learntAccepted, ["environment": environment]) }
            guard let reason = test.knownReason else { return Remark(.learntUnknown, ["environment": environment]) }
            return Remark(.learntRefused, ["environment": environment, "reason": reason.rawValue])
        }
    }

    /// Records the answer to a trial.
    ///
    /// - Returns: whether the credential is for something else than it was taken for, so that another one may go first.
    @discardableResult
    func record(_ test: CredentialTest, of trial: CredentialTrial, in set: CredentialSet) async throws -> Bool {
        guard let id = trial.credential, test.isAccepted || test.knownReason != nil else { return false }
        let answer = KnownAnswers.Answer(
            environment: trial.environment,
            topic: trial.topic.topic(of: trial.app.bundleID),
            reason: test.knownReason,
            at: clock.date
        )
        var known = set.credentials.first { $0.id == id }?.answers ?? KnownAnswers()
        let isOther = known.record(answer)
        try await store.record([answer], of: id, app: trial.app.id)
        if isOther { await notifier.trials?.useChangedCredentials(of: trial.app.id) }
        return isOther
    }
}

extension CredentialTest {
    /// The reason of a refusal that says something about the credential; nil if it was accepted, or not judged.
    var knownReason: APNSReason? { isAccepted || isTemporary || status == nil ? nil : reason }
}

extension CredentialChange {
    /// Takes certificates out of use in environments; those that are left with none are removed.
    init(removing certificates: [SealedCredential], from environments: Set<APNSEnvironment>) {
        self.init()
        for one in certificates where !one.scope.environments.isDisjoint(with: environments) {
            let rest = one.scope.environments.subtracting(environments)
            if rest.isEmpty { remove.insert(one.id) } else { narrow[one.id] = rest }
        }
    }
}

extension SealedCredential {
    /// Whether it is the same key or certificate, for the same environments and topics.
    fileprivate func isSame(as other: SealedCredential) -> Bool {
        guard scope == other.scope else { return false }
        return switch (content, other.content) {
        case (.key(let one), .key(let other)): one == other
        case (.certificate(let one), .certificate(let other)): one.fingerprint == other.fingerprint
        case (.key, .certificate), (.certificate, .key): false
        }
    }
}

extension OperatorRequest.CredentialFile {
    /// Returns the scope that the file is to have, with the environments of a key.
    ///
    /// - Throws: ``JSONProblem`` for too many or malformed topics; ``OperatorError`` if none of them is a topic of the app.
    fileprivate func scope(for app: App) throws -> CredentialScope {
        var scope = CredentialScope()
        if let environment {
            scope.environments = environment.environments
            scope.namesEnvironments = true
        }
        guard let topics else { return scope }
        guard (1...CredentialScope.mostTopics).contains(topics.count) else {
            throw JSONProblem(
                "topics",
                found: .number(topics.count),
                expected: "1 to \(CredentialScope.mostTopics) topics, the most that Apple gives a key"
            )
        }
        for (place, topic) in topics.enumerated() {
            guard topic.isWrittenLikeTopic, (1...CredentialScope.topicBytes).contains(topic.utf8.count) else {
                throw JSONProblem(
                    "topics[\(place)]",
                    found: .string(topic),
                    expected: "a bundle id, with or without the suffix of a push type such as '.voip'"
                )
            }
        }
        scope.topics = Array(Set(topics)).sorted()
        let isOfApp = TopicKind.allCases.contains { scope.covers($0.topic(of: app.bundleID)) }
        guard isOfApp else { throw OperatorError(.badRequest, Remark(.topicsOfOthers, ["bundleID": app.bundleID])) }
        return scope
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
    /// The reason why an app cannot use the certificate in all of some environments, or in any if there are none; nil if it can.
    fileprivate func problem(for app: App, _ named: Set<APNSEnvironment>, at now: Date) -> OperatorError? {
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
        if let environment = named.subtracting(environments).min(by: { $0.rawValue < $1.rawValue }) {
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

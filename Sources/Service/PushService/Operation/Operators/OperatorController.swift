import Foundation
package import PushClock
package import PushModel

/// The roles of a store that operators use.
package typealias OperatorStore = AppStore & AuditStore & CredentialStore & DeveloperStore & GroupStore & HolderStore
    & UserStore

/// Carries out the operations of operators, in a running service or on the data of a stopped one.
package struct OperatorController: Sendable {
    let store: any OperatorStore
    /// The index in memory; nil if no service runs on the data.
    let registry: Registry?
    let vault: CredentialVault
    let inspector: any CredentialInspector
    let notifier: CredentialChangeNotifier
    /// Nil if no service runs on the data.
    let doctor: Doctor?
    /// Nil for a service without a data folder.
    let machine: (any MachineInspector)?
    /// Nil if no service runs on the data.
    let retention: Retention?
    /// Nil for a service without settings, and if no service runs.
    let reload: (@Sendable () async throws(OperatorError) -> ReloadAnswer)?
    /// The nodes that share the store; nil for a service that is alone, and for SQLite.
    let nodes: (any NodeStore)?
    let clock: any CivilClock
    let settings: Adjustable<ServiceSettings>
    private let rates = MinuteRates<String>()

    /// Performs an operation.
    ///
    /// - Parameters:
    ///   - name: the raw value of an ``Operation``.
    ///   - body: its parameters, a JSON object.
    ///   - actor: the one who asks; a change gets into the audit log under this name.
    /// - Returns: the answer, a JSON object.
    /// - Throws: ``OperatorError``.
    package func perform(
        _ name: String,
        _ body: [UInt8],
        by actor: Actor = Actor(name: "command line")
    ) async throws(OperatorError) -> JSONObject {
        guard let operation = Operation(rawValue: name) else {
            throw OperatorError(.unknownOperation, Remark(.unknownOperation, ["name": name]))
        }
        if operation.isAudited || operation == .auditRecord { try await admit(actor, to: operation.rawValue) }
        var parameters = JSONObject()
        let answer: JSONObject
        do {
            if !body.isEmpty { parameters = try JSONReader(try JSONValue(parsing: body)).object }
            // A signing key that is no text is refused with what it is instead.
            let hasNUL = parameters.members.contains { $0.key != "p8" && ($0.key.hasNUL || $0.value.hasNUL) }
            guard !hasNUL else { throw OperatorError(.badRequest, Remark(.textWithNUL)) }
            let request = try JSONCoding.read(OperatorRequest.self, named: name, from: parameters)
            answer = JSONCoding.object(of: try await perform(request))
        } catch {
            let refusal = Self.refusal(of: error, forAnyone: operation == .userVerify)
            try await record(operation, parameters, by: actor, refusal: refusal)
            throw refusal
        }
        try await record(operation, parameters, by: actor, answer: answer)
        return answer
    }

    /// Counts a change that an actor is about to make, by an operation or in another way.
    ///
    /// - Parameters:
    ///   - actor: the one who makes it.
    ///   - action: the name of the operation, or the method and path of a request to the API.
    /// - Throws: ``OperatorError`` if the actor has made too many in this minute. The first such refusal is in the audit log.
    package func admit(_ actor: Actor, to action: String) async throws(OperatorError) {
        let (answer, seconds) = rates.take(actor.name, limit: settings.value.operators.changesPerMinute, at: clock.date)
        guard answer != .taken else { return }
        let refusal = OperatorError(.tooManyRequests, Remark(.tooManyChanges), retryAfter: seconds)
        if answer == .firstTooMany {
            let entry = AuditEntry(
                at: clock.date,
                actor: actor,
                action: action,
                subject: nil,
                detail: refusal.message,
                isDone: false
            )
            // If the log cannot be written, nothing is changed either.
            try? await record(entry)
        }
        throw refusal
    }

    /// Returns the refusal for an error; one for anyone, who has not signed in yet, has no words of the database's client.
    private static func refusal(of error: any Error, forAnyone: Bool) -> OperatorError {
        switch error {
        case let error as OperatorError: return error
        case let problem as JSONProblem:
            let values = ["key": problem.path, "found": problem.found, "expected": problem.expected]
            var error = OperatorError(.badRequest, Remark(problem.path.isEmpty ? .document : .parameter, values))
            error.isUnknownParameter = problem.isUnknownKey
            return error
        case let error as JSONSyntaxError:
            return OperatorError(.badRequest, Remark(.bodyNotJSON, ["detail": "\(error)"]))
        case let error as TooManyUploads:
            let seconds = error.retryAfter
            return OperatorError(.busy, Remark(.tooManyUploads, ["seconds": seconds]), retryAfter: seconds)
        case let error as TooManyCredentials:
            return OperatorError(
                .conflict,
                Remark(.tooManyCredentials, ["most": SealedCredential.most]),
                message: "\(error)"
            )
        case is TooManySecrets:
            return OperatorError(.conflict, Remark(.tooManySecrets, ["most": FormerSecret.most]))
        case let error as StoreError where error.retryAfter != nil:
            let detail = forAnyone ? error.publicDescription : "\(error)"
            return OperatorError(.busy, Remark(.storeBusy, ["detail": detail]), retryAfter: error.retryAfter)
        default: return OperatorError(.internalError, Remark(.operationFailed, ["detail": FileWords.described(error)]))
        }
    }

    private func perform(_ request: OperatorRequest) async throws -> any Encodable & Sendable {
        switch request {
        case .appCreate(let app): try await createApp(app)
        case .appList: try await listApps()
        case .appShow(let key): try await showApp(key)
        case .appSet(let key, let environment, let quietHours, let strict, let aliases, let protectedTags):
            try await changeApp(
                key,
                environment: environment,
                quietHours: quietHours,
                isStrict: strict,
                aliases: aliases,
                protectedTags: protectedTags
            )
        case .appAliasKey(let key, let rotate, let hours):
            try await makeAliasKey(key, rotates: rotate ?? false, overlapHours: hours)
        case .appRename(let key, let name): answer(try await rename(try await app(key), to: name))
        case .appRotateSecret(let key, let overlap): try await rotateSecret(ofApp: key, overlap: overlap)
        case .appEndSecret(let key): answer(try await endFormerSecrets(of: try await app(key)))
        case .appContents(let key): try await contents(ofApp: key)
        case .appDelete(let key, let name): try await deleteApp(key, named: name)
        case .groupCreate(let name, let apps): try await createGroup(name, apps: apps)
        case .groupList: try await listGroups()
        case .groupChange(let key, let added, let removed): try await changeGroup(key, add: added, remove: removed)
        case .groupRename(let key, let name): try await answer(try await rename(try await group(key), to: name))
        case .groupRotateSecret(let key, let overlap): try await rotateSecret(ofGroup: key, overlap: overlap)
        case .groupEndSecret(let key): try await answer(try await endFormerSecrets(of: try await group(key)))
        case .groupDelete(let key, let name): try await deleteGroup(key, named: name)
        case .developerCreate(let name): try await createDeveloper(name)
        case .developerList: try await listDevelopers()
        case .developerEnable(let key): try await enableDeveloper(key, true)
        case .developerDisable(let key): try await enableDeveloper(key, false)
        case .developerRename(let key, let name): answer(try await rename(try await developer(key), to: name))
        case .developerRotateSecret(let key, let overlap): try await rotateSecret(ofDeveloper: key, overlap: overlap)
        case .developerEndSecret(let key): answer(try await endFormerSecrets(of: try await developer(key)))
        case .developerDelete(let key, let name): try await deleteDeveloper(key, named: name)
        case .credentialAdd(let file): try await addCredential(file)
        case .credentialInspect(let file): try await inspectCredential(file)
        case .credentialList: try await listCredentials()
        case .credentialShow(let key): try await showCredentials(of: try await app(key))
        case .credentialTest(let key, let credential, let environment):
            try await testCredentials(of: try await app(key), credential, environment)
        case .credentialRemove(let removal): try await removeCredential(removal)
        case .userCreate(let name, let role, let password, let onlyFirst):
            try await createUser(name, role, password: password, onlyFirst: onlyFirst)
        case .userList: try await listUsers()
        case .userSet(let name, let role, let password): try await setUser(name, role, password: password)
        case .userRemove(let name): try await removeUser(name)
        case .userVerify(let name, let password): try await verifyUser(name, password: password)
        case .auditList(let before, let limit): try await listAudit(before: before, limit: limit)
        case .auditRecord(let change): try await recordAudit(change)
        case .nodeList: try await listNodes()
        case .nodeDrain(let node, let isDraining): try await drainNode(node, isDraining)
        case .doctor(let app, let device, let message): try await examine(app, device: device, message: message)
        case .healthShow: try await showHealth()
        case .retentionPreview(let messages, let schedules, let devices, let users):
            try await previewRetention(messages: messages, schedules: schedules, devices: devices, users: users)
        case .settingsReload: try await reloadSettings()
        }
    }

    private func reloadSettings() async throws -> ReloadAnswer {
        guard let reload else { throw OperatorError(.needsService, Remark(.settingsNotHere)) }
        return try await reload()
    }

    /// Returns the refusal of an operation that only a running service can perform.
    static func noService(_ reason: String) -> OperatorError {
        let text = "No service runs on this data folder\(reason)"
        return OperatorError(.needsService, Remark(.serviceNeeded), message: text)
    }

    // MARK: - Parameters

    /// Returns the app of a key.
    func app(_ key: String) async throws -> App {
        guard let app = try await store.apps().first(where: { $0.key.text == key }) else {
            throw Self.unknown(.appUnknown, key)
        }
        return app
    }

    /// Returns a name without surrounding white space.
    static func checked(name: String) throws -> String {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !name.isEmpty else { throw OperatorError(.badRequest, Remark(.nameEmpty)) }
        if let control = name.controlInName {
            throw OperatorError(.badRequest, Remark(.nameControl, ["character": control]))
        }
        return name
    }

    /// Returns a number that lies in a range.
    static func checked<Number: BinaryInteger>(
        _ number: Number?,
        _ parameter: String,
        in range: ClosedRange<Number>
    ) throws -> Number? {
        guard let number, !range.contains(number) else { return number }
        let expected = "an integer from \(range.lowerBound) to \(range.upperBound)"
        throw JSONProblem(parameter, found: .number(number), expected: expected)
    }
}

extension OperatorController {
    /// Creates a controller for the data of a service that does not run.
    package init(
        store: any OperatorStore,
        vault: CredentialVault,
        inspector: any CredentialInspector,
        machine: any MachineInspector,
        nodes: (any NodeStore)? = nil,
        clock: any CivilClock
    ) {
        self.init(
            store: store,
            registry: nil,
            vault: vault,
            inspector: inspector,
            notifier: CredentialChangeNotifier(trials: nil, signal: nil, certificates: nil),
            doctor: nil,
            machine: machine,
            retention: nil,
            reload: nil,
            nodes: nodes,
            clock: clock,
            settings: Adjustable(ServiceSettings())
        )
    }
}

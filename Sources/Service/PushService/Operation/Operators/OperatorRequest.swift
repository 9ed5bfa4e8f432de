package import PushModel

/// A request of an operator: an operation with its parameters. The command line and the portal use nothing else.
///
/// A value of nil is a parameter that is not given. The functions of ``OperatorController`` say what each does, and have the types of
/// their answers; `Documentation/OpenAPI/posthorn.yaml` lists the members of both in JSON.
package enum OperatorRequest: Codable, Sendable {
    package typealias CodingKeys = OperatorController.Operation

    case appCreate(AppDescription)
    case appList
    case appShow(app: String)
    case appSet(
        app: String,
        environment: APNSEnvironment?,
        quietHours: JSONValue?,
        strict: Bool? = nil,
        aliases: AliasRules.Policy? = nil,
        protectedTags: String? = nil
    )
    case appAliasKey(app: String, rotate: Bool? = nil, overlapHours: Int? = nil)
    case appRename(app: String, name: String)
    case appRotateSecret(app: String, overlap: Int? = nil)
    case appEndSecret(app: String)
    case appContents(app: String)
    case appDelete(app: String, name: String)
    case groupCreate(name: String, apps: [String]?)
    case groupList
    case groupChange(group: String, add: [String]?, remove: [String]?)
    case groupRename(group: String, name: String)
    case groupRotateSecret(group: String, overlap: Int? = nil)
    case groupEndSecret(group: String)
    case groupDelete(group: String, name: String? = nil)
    case developerCreate(name: String)
    case developerList
    case developerEnable(developer: String)
    case developerDisable(developer: String)
    case developerRename(developer: String, name: String)
    case developerRotateSecret(developer: String, overlap: Int? = nil)
    case developerEndSecret(developer: String)
    case developerDelete(developer: String, name: String)
    case credentialAdd(CredentialFile)
    case credentialInspect(CredentialFile)
    case credentialList
    case credentialShow(app: String)
    case credentialTest(app: String, credential: SealedCredential.ID? = nil, environment: APNSEnvironment?)
    case credentialRemove(CredentialRemoval)
    case userCreate(name: String, role: Role, password: String, onlyFirst: Bool? = nil)
    case userList
    case userSet(name: String, role: Role?, password: String?)
    case userRemove(name: String)
    case userVerify(name: String, password: String)
    case auditList(before: AuditEntry.ID?, limit: Int?)
    case auditRecord(AuditRecord)
    case nodeList
    case nodeDrain(node: Int, draining: Bool)
    case doctor(app: String?, device: String?, message: String?)
    case healthShow
    case retentionPreview(messages: Int?, schedules: Int?, devices: Int?, users: Int?)
    case settingsReload

    /// A new app, with a key if the last three are given.
    package struct AppDescription: Codable, Sendable {
        let name: String
        let bundleID: String
        let environment: APNSEnvironment?
        package var p8: String?
        package var keyID: String?
        package var teamID: String?
        /// The setter of aliases; nil for anyone.
        package var aliases: AliasRules.Policy?
        /// The prefix of protected tags; nil for none.
        package var protectedTags: String?

        package init(name: String, bundleID: String, environment: APNSEnvironment?) {
            self.name = name
            self.bundleID = bundleID
            self.environment = environment
        }
    }

    /// A key, or a certificate with its password.
    package struct CredentialFile: Codable, Sendable {
        let app: String
        package var p8: String?
        package var keyID: String?
        package var teamID: String?
        /// The bytes of the file in base64.
        package var certificate: String?
        package var password: String?
        /// The environments that it is used in; nil for all that a certificate opens, and for those in which APNs accepts a key.
        package var environment: CredentialEnvironment?
        /// The topics that it is used for, at most ``CredentialScope/mostTopics``; nil for all.
        package var topics: [String]?
        /// The credential in whose place it is put; nil to keep all.
        package var replace: SealedCredential.ID?

        package init(app: String) { self.app = app }
    }

    /// The environments of a credential, in one word.
    package enum CredentialEnvironment: String, Codable, Sendable, CaseIterable {
        case development
        case production
        case both

        /// The environment, unless it is both.
        var only: APNSEnvironment? {
            switch self {
            case .development: .development
            case .production: .production
            case .both: nil
            }
        }

        var environments: Set<APNSEnvironment> { only.map { [$0] } ?? Set(APNSEnvironment.allCases) }
    }

    /// The credentials to remove: one by its id, or the only key, or the certificates of an environment or of all.
    package struct CredentialRemoval: Codable, Sendable {
        let app: String
        package var credential: SealedCredential.ID?
        package var kind: CredentialKind?
        package var environment: APNSEnvironment?

        package init(app: String, credential: SealedCredential.ID) {
            self.app = app
            self.credential = credential
        }

        package init(app: String, _ kind: CredentialKind, _ environment: APNSEnvironment?) {
            self.app = app
            self.kind = kind
            self.environment = environment
        }
    }

    /// A change that was made in another way than by an operation.
    package struct AuditRecord: Codable, Sendable {
        let actor: String
        let address: String?
        let action: String
        let subject: String?
        let detail: String?
        let ok: Bool
    }
}

/// Two answers in one object.
@dynamicMemberLookup
package struct Both<First: Codable & Sendable, Second: Codable & Sendable>: Codable, Sendable {
    package let first: First
    package let second: Second

    init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    package init(from decoder: any Decoder) throws { self.init(try First(from: decoder), try Second(from: decoder)) }

    package func encode(to encoder: any Encoder) throws {
        try first.encode(to: encoder)
        try second.encode(to: encoder)
    }

    package subscript<Value>(dynamicMember path: KeyPath<First, Value>) -> Value { first[keyPath: path] }
    package subscript<Value>(dynamicMember path: KeyPath<Second, Value>) -> Value { second[keyPath: path] }
}

extension OperatorController {
    /// The operation of an ``OperatorRequest``. The raw value is the name in the path, `POST /posthorn/v1/operator/app.create`.
    package enum Operation: String, CodingKey, CaseIterable, Sendable {
        case appCreate = "app.create"
        case appList = "app.list"
        case appShow = "app.show"
        case appSet = "app.set"
        case appAliasKey = "app.alias_key"
        case appRename = "app.rename"
        case appRotateSecret = "app.rotate_secret"
        case appEndSecret = "app.end_secret"
        case appContents = "app.contents"
        case appDelete = "app.delete"
        case groupCreate = "group.create"
        case groupList = "group.list"
        case groupChange = "group.change"
        case groupRename = "group.rename"
        case groupRotateSecret = "group.rotate_secret"
        case groupEndSecret = "group.end_secret"
        case groupDelete = "group.delete"
        case developerCreate = "developer.create"
        case developerList = "developer.list"
        case developerEnable = "developer.enable"
        case developerDisable = "developer.disable"
        case developerRename = "developer.rename"
        case developerRotateSecret = "developer.rotate_secret"
        case developerEndSecret = "developer.end_secret"
        case developerDelete = "developer.delete"
        case credentialAdd = "credential.add"
        case credentialInspect = "credential.inspect"
        case credentialList = "credential.list"
        case credentialShow = "credential.show"
        case credentialTest = "credential.test"
        case credentialRemove = "credential.remove"
        case userCreate = "user.create"
        case userList = "user.list"
        case userSet = "user.set"
        case userRemove = "user.remove"
        case userVerify = "user.verify"
        case auditList = "audit.list"
        case auditRecord = "audit.record"
        case nodeList = "node.list"
        case nodeDrain = "node.drain"
        case doctor = "doctor.run"
        case healthShow = "health.show"
        case retentionPreview = "retention.preview"
        case settingsReload = "settings.reload"
    }
}

/// The settings that a reload has changed, and those that need a restart.
package struct ReloadAnswer: Codable, Sendable {
    package struct Change: Codable, Sendable {
        package let key: String
        /// The value before; nil for the default.
        @OrNull package var from: String?
        @OrNull package var to: String?

        package init(key: String, from: String?, to: String?) {
            self.key = key
            self.from = from
            self.to = to
        }
    }

    package let applied: [Change]
    package let needsRestart: [Change]
    /// `renewed` or `unchanged`; nil without TLS.
    @OrNull package var certificate: String?

    package init(applied: [Change], needsRestart: [Change], certificate: String?) {
        self.applied = applied
        self.needsRestart = needsRestart
        self.certificate = certificate
    }
}

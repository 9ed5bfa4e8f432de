extension OperatorController {
    /// An operation that an operator can ask of a service. The command line and the portal use nothing else.
    ///
    /// Each takes a JSON object and returns one; `Documentation/OpenAPI/posthorn.yaml` lists their members. The raw value is the
    /// name in the path, `POST /posthorn/v1/operator/app.create`.
    package enum Operation: String, CaseIterable, Sendable {
        case appCreate = "app.create"
        case appList = "app.list"
        case appShow = "app.show"
        case appSet = "app.set"
        case groupCreate = "group.create"
        case groupList = "group.list"
        case groupChange = "group.change"
        case groupDelete = "group.delete"
        case developerCreate = "developer.create"
        case developerList = "developer.list"
        case developerEnable = "developer.enable"
        case developerDisable = "developer.disable"
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

        /// The members that the parameters may have.
        var keys: [String] {
            switch self {
            case .appList, .groupList, .developerList, .credentialList, .userList, .nodeList, .healthShow,
                .settingsReload:
                []
            case .appShow, .credentialShow: ["app"]
            case .developerEnable, .developerDisable: ["developer"]
            case .groupDelete: ["group"]
            case .developerCreate, .userRemove: ["name"]
            case .appCreate: ["name", "bundle_id", "environment", "p8", "key_id", "team_id"]
            case .appSet: ["app", "environment", "quiet_hours"]
            case .groupCreate: ["name", "apps"]
            case .groupChange: ["group", "add", "remove"]
            case .credentialAdd, .credentialInspect:
                ["app", "p8", "key_id", "team_id", "certificate", "password", "environment"]
            case .credentialTest: ["app", "environment"]
            case .credentialRemove: ["app", "kind", "environment"]
            case .userCreate: ["name", "role", "password", "only_first"]
            case .userSet: ["name", "role", "password"]
            case .userVerify: ["name", "password"]
            case .auditList: ["before", "limit"]
            case .auditRecord: ["actor", "address", "action", "subject", "detail", "ok"]
            case .nodeDrain: ["node", "draining"]
            case .doctor: ["app", "device", "message"]
            case .retentionPreview: ["messages", "schedules", "devices", "users"]
            }
        }
    }
}

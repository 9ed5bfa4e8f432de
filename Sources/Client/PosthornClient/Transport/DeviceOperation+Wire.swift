/// The words of the operations, which both ways to the service share.
extension DeviceOperation {
    /// The subject that it concerns: the last part of the path of a request.
    var subject: String { words.subject }
    /// The word for its effect on the subject; nil if the members say it.
    var verb: String? { words.verb }
    /// The other members.
    var members: [String: Any] { words.members.compactMapValues(\.self) }

    /// The type of its frame on the SDK link.
    var frameType: String {
        switch self {
        case .checkTag: "tag-check"
        case .getPush: "push-status"
        default: verb.map { "\(subject)-\($0)" } ?? subject
        }
    }

    /// Members that are nil are left out.
    private var words: (subject: String, verb: String?, members: [String: Any?]) {
        switch self {
        case .addTags(let tags, let proofs): ("tags", "add", ["tags": tags, "proofs": proofs])
        case .setTags(let tags, let proofs): ("tags", "set", ["tags": tags, "proofs": proofs])
        case .deleteTags(let tags): ("tags", "delete", ["tags": tags])
        case .cleanTags: ("tags", "clean", [:])
        case .getTags: ("tags", "get", [:])
        case .checkTag(let tag): ("tags", "check", ["tag": tag])
        case .setAlias(let alias, let proof): ("alias", "set", ["alias": alias, "proof": proof])
        case .deleteAlias: ("alias", "delete", [:])
        case .getAlias: ("alias", "get", [:])
        case .setBadge(let badge): ("badge", nil, ["badge": badge])
        case .setMobile(let mobile): ("mobile", nil, ["mobile": mobile])
        case .setAttributes(let values): ("attributes", nil, ["attributes": values])
        case .setPush(let isOn): ("push-switch", nil, ["on": isOn])
        case .getPush: ("push-switch", nil, [:])
        case .declineTopics(let names): ("topics", nil, ["declined": names])
        case .getTopics: ("topics", nil, [:])
        }
    }
}

package import Foundation
import PushClock
package import PushModel

extension OperatorController {
    /// Returns entries of the audit log, the newest first.
    func listAudit(before: AuditEntry.ID?, limit: Int?) async throws -> AuditAnswer {
        let limit = try Self.checked(limit, "limit", in: 1...1000) ?? 100
        let before = try Self.checked(before, "before", in: 1...Int64.max)
        let entries = try await store.auditEntries(before: before, limit: limit)
        return AuditAnswer(entries: entries, next: entries.count == limit ? entries.last?.id : nil)
    }

    func recordAudit(_ change: OperatorRequest.AuditRecord) async throws -> NoAnswer {
        let entry = AuditEntry(
            at: clock.date,
            actor: Actor(name: change.actor, address: change.address),
            action: change.action,
            subject: change.subject,
            detail: change.detail,
            isDone: change.ok
        )
        try await record(entry)
        return NoAnswer()
    }

    /// Whether a user has signed in to the portal from a network since a date.
    package func hasSignedIn(_ user: String, from network: String, since date: Date) async throws -> Bool {
        try await store.hasSignedIn(user, from: network, since: date)
    }

    /// Adds an entry to the log, without counting it as a change of its actor.
    package func record(_ entry: AuditEntry) async throws {
        let days = settings.value.retention.audit
        try await store.appendAudit(entry, keepingFrom: RetentionRules.date(days, before: clock.date))
    }

    /// Records a change by an operation, or its refusal.
    ///
    /// - Throws: ``OperatorError`` if a change cannot be written to the log. The change itself is on disk then.
    func record(
        _ operation: Operation,
        _ parameters: JSONObject,
        by actor: Actor,
        answer: JSONObject? = nil,
        refusal: OperatorError? = nil
    ) async throws(OperatorError) {
        guard operation.isAudited, refusal != nil || operation != .doctor || parameters.isAboutAnApp else { return }
        let entry = AuditEntry(
            at: clock.date,
            actor: actor,
            action: operation.rawValue,
            subject: Self.subject(parameters, answer),
            detail: refusal.map { Self.detail(of: $0, parameters) } ?? Self.detail(of: operation, parameters),
            isDone: refusal == nil
        )
        do { try await record(entry) } catch {
            // A disk that takes no writes is often the reason of the refusal too, which says so. The doctor says it as well.
            guard refusal == nil, operation != .doctor else { return }
            throw OperatorError(.internalError, Remark(.auditNotWritten, ["detail": FileWords.described(error)]))
        }
    }

    /// The members that are secrets, or hold them.
    private static let secrets = ["certificate", "p8", "password"]
    /// The members that say what a change was.
    private static let changes = [
        "add", "aliases", "apps", "bundle_id", "credential", "device", "draining", "environment", "key_id", "kind",
        "message", "node", "overlap", "overlap_hours", "protected_tags", "quiet_hours", "remove", "replace", "role",
        "rotate",
        "strict", "team_id", "topics",
    ]

    /// The members of a change, such as `{"role":"admin","password":"…"}`; nil if the name of the operation says it all.
    private static func detail(of operation: Operation, _ parameters: JSONObject) -> String? {
        var detail = JSONObject()
        for member in parameters.members where member.value != .null {
            // What is created is named by its key. What is deleted has no name any more but in the log.
            let isName = member.key == "name" && operation.isAboutName
            if isName || changes.contains(member.key) { detail[member.key] = member.value }
            if secrets.contains(member.key) { detail[member.key] = "…" }
        }
        return detail.isEmpty ? nil : JSONValue.object(detail).text
    }

    /// The message of a refusal; its code if the message quotes a secret, as it does one of the wrong form.
    private static func detail(of refusal: OperatorError, _ parameters: JSONObject) -> String {
        let values = secrets.compactMap { parameters[$0] }.map { $0.string ?? $0.text }
        let isQuoted = values.contains { !$0.isEmpty && refusal.message.contains($0) }
        return isQuoted ? refusal.code.rawValue : refusal.message
    }

    /// The name of what an operation is about. Other members may be secrets.
    private static func subject(_ parameters: JSONObject, _ answer: JSONObject?) -> String? {
        let keys = ["app_key", "group_key", "dev_key"].lazy.compactMap { answer?[$0]?.string }.first
        return keys ?? ["app", "group", "developer", "name"].lazy.compactMap { parameters[$0]?.string }.first
    }
}

extension JSONObject {
    /// Whether these parameters of `doctor.run` name something, so that the app's credentials may be tried.
    fileprivate var isAboutAnApp: Bool { ["app", "device", "message"].contains { (self[$0] ?? .null) != .null } }
}

extension OperatorController.Operation {
    /// Whether the operation changes something, or sends something to others.
    package var isAudited: Bool {
        switch self {
        case .appCreate, .appSet, .appAliasKey, .appRename, .appRotateSecret, .appEndSecret, .appDelete, .groupCreate,
            .groupChange,
            .groupRename, .groupRotateSecret, .groupEndSecret, .groupDelete, .developerCreate, .developerEnable,
            .developerDisable, .developerRename, .developerRotateSecret, .developerEndSecret, .developerDelete,
            .credentialAdd, .credentialRemove, .credentialTest, .doctor, .userCreate, .userSet,
            .userRemove, .settingsReload, .nodeDrain:
            true
        case .appList, .appShow, .appContents, .groupList, .developerList, .credentialInspect, .credentialList,
            .credentialShow,
            .userList, .userVerify, .auditList, .auditRecord, .healthShow, .retentionPreview, .nodeList:
            false
        }
    }

    /// Whether the operation gives another name, or asks for the name of what it deletes.
    fileprivate var isAboutName: Bool {
        switch self {
        case .appRename, .appDelete, .groupRename, .groupDelete, .developerRename, .developerDelete: true
        default: false
        }
    }
}

struct NoAnswer: Codable {}

/// A part of the audit log as an operator sees it.
package struct AuditAnswer: Codable, Sendable {
    package let entries: [AuditEntry]
    /// The entry before which the next ones are; nil at the end of the log.
    @OrNull package var next: AuditEntry.ID?
}

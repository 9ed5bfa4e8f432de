import Foundation
import PushClock
import PushModel

extension OperatorController {
    /// `{"before"?, "limit"?}`; the newest entries first.
    func listAudit(_ parameters: JSONReader) async throws -> JSONObject {
        let limit = Int(try parameters.optional("limit", .integer(in: 1...1000)) ?? 100)
        let before: AuditEntry.ID? = try parameters.optional("before", .integer(in: 1...Int64.max)).map { Int64($0) }
        let entries = try await store.auditEntries(before: before, limit: limit)
        let next = entries.count == limit ? entries.last.map { JSONValue.integer($0.id) } : nil
        return ["entries": .array(entries.map { .object($0.members) }), "next": next ?? .null]
    }

    /// `{"actor", "address"?, "action", "subject"?, "detail"?, "ok"}`: a change that was made in another way than by an operation.
    func recordAudit(_ parameters: JSONReader) async throws -> JSONObject {
        let entry = AuditEntry(
            at: clock.date,
            actor: Actor(
                name: try parameters.string("actor"),
                address: try parameters.optional("address", .string)
            ),
            action: try parameters.string("action"),
            subject: try parameters.optional("subject", .string),
            detail: try parameters.optional("detail", .string),
            isDone: try parameters.need("ok", .bool)
        )
        try await record(entry)
        return [:]
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
            detail: refusal.map { Self.detail(of: $0, parameters) } ?? Self.detail(parameters),
            isDone: refusal == nil
        )
        do { try await record(entry) } catch {
            // A disk that takes no writes is often the reason of the refusal too, which says so. The doctor says it as well.
            guard refusal == nil, operation != .doctor else { return }
            throw OperatorError(.internalError, Remark(.auditNotWritten, ["detail": "\(error)"]))
        }
    }

    /// The members that are secrets, or hold them.
    private static let secrets = ["certificate", "p8", "password"]
    /// The members that say what a change was.
    private static let changes = [
        "add", "apps", "bundle_id", "device", "draining", "environment", "key_id", "kind", "message", "node",
        "quiet_hours", "remove", "role", "team_id",
    ]

    /// The members of a change, such as `{"role":"admin","password":"…"}`; nil if the name of the operation says it all.
    private static func detail(_ parameters: JSONObject) -> String? {
        var detail = JSONObject()
        for member in parameters.members where member.value != .null {
            if changes.contains(member.key) { detail[member.key] = member.value }
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
        case .appCreate, .appSet, .groupCreate, .groupChange, .groupDelete, .developerCreate, .developerEnable,
            .developerDisable, .credentialAdd, .credentialRemove, .credentialTest, .doctor, .userCreate, .userSet,
            .userRemove, .settingsReload,
            .nodeDrain:
            true
        case .appList, .appShow, .groupList, .developerList, .credentialInspect, .credentialList, .credentialShow,
            .userList, .userVerify, .auditList, .auditRecord, .healthShow, .retentionPreview, .nodeList:
            false
        }
    }
}

import Foundation
import Hummingbird
import PushModel
import PushService

/// The audit log, the newest entries first, by actor and action if asked.
struct AuditPage: Sendable {
    let portal: PortalEnvironment

    /// The number of entries on a page, in a call of the service, and the number of calls for one page.
    private static let (size, batch, calls) = (50, 1000, 10)

    /// The entries that a page shows, and where the next one begins; nil at the end of the log.
    private struct Part {
        var entries: [AuditAnswer.Entry] = []
        var next: Int64?
    }

    func show(_ request: Request, _ context: PortalContext) async throws -> Response {
        let texts = portal.texts(context)
        let (actor, action) = (request.wish("actor"), request.wish("action"))
        let before = request.wish("before").flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
        let part = try await find(actor: actor, action: action, before: before, context)
        let values: JSONObject = [
            "entries": .array(
                part.entries.map { entry in
                    var row = JSONCoding.object(of: entry)
                    row["time"] = .string(portal.shown(entry.at))
                    if let last = entry.lastAt {
                        row["last_time"] = .string(portal.shown(last))
                        row["times"] = .number(entry.count)
                    }
                    return .object(row)
                }
            ),
            "actor": .orNull(actor), "action": .orNull(action), "is_filtered": .bool(actor != nil || action != nil),
            "is_later": .bool(before != nil), "first": .string(Query(["actor": actor, "action": action]).text),
            "next": part.next.map {
                .string(Query(["actor": actor, "action": action, "before": "\($0)"]).text)
            } ?? .null,
            "zone": .string(portal.timeZone.identifier),
        ]
        return portal.page("audit", title: texts["users", "audit"], values, section: "audit", in: context)
    }

    private func find(actor: String?, action: String?, before: Int64?, _ context: PortalContext) async throws -> Part {
        func fits(_ wish: String?, _ text: String) -> Bool {
            wish.map { text.lowercased().contains($0.lowercased()) } ?? true
        }
        let isFiltered = actor != nil || action != nil
        var part = Part(next: before)
        for _ in 0..<Self.calls {
            let limit = isFiltered ? Self.batch : Self.size
            let request = OperatorRequest.auditList(before: part.next, limit: limit)
            let answer: AuditAnswer = try await portal.perform(request, in: context)
            for entry in answer.entries where fits(actor, entry.actor) && fits(action, entry.action) {
                part.entries.append(entry)
                guard part.entries.count < Self.size else {
                    part.next = entry.id
                    return part
                }
            }
            part.next = answer.next
            if part.next == nil { return part }
        }
        return part
    }
}

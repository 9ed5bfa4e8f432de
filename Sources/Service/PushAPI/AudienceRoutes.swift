import Hummingbird
import PushModel
import PushService

/// Posthorn's own endpoints for audiences: their size, and segments.
struct AudienceRoutes: Sendable {
    let acceptor: PushAcceptor
    let segments: SegmentController

    func add(to group: RouterGroup<APIContext>) {
        group.add(.post, at: "posthorn/v1/audience") { request, _, app in
            Response(Self.members(of: try await acceptor.count(try await request.bytes(), for: app)))
        }
        group.add(.get, at: "posthorn/v1/segments") { _, _, app in
            var list: [JSONMembers] = []
            for segment in segments.segments(of: app.id) {
                list.append(try await members(of: segment, app))
                // Each is counted among all devices of the app.
                await Task.yield()
            }
            return Response(["segments": list])
        }
        let one = group.resource("posthorn/v1/segments/:segment", [.get, .put, .delete])
        one.on(.get) { _, context, app in
            Response(try await members(of: try segments.segment(try context.segment("segment"), of: app.id), app))
        }
        one.on(.put) { request, context, app in
            let name = try context.segment("segment")
            let body = try await request.bytes()
            return Response(try await members(of: try await segments.set(name, body, of: app.id), app))
        }
        one.on(.delete) { _, context, app in
            try await segments.delete(try context.segment("segment"), of: app.id)
            return .done
        }
    }

    /// A segment that asks for an earlier push stays in the list when that is gone, without counts.
    private func members(of segment: Segment, _ app: App) async throws -> JSONMembers {
        var members: JSONMembers = ["name": segment.name, "rule": segment.rule]
        do {
            members["counts"] = Self.members(of: try await acceptor.counts(segment, of: app))
        } catch let error as JPushError {
            members["counts"] = nil
            members["problem"] = error.message
        }
        return members
    }

    private static func members(of counts: AudienceCounts) -> JSONMembers {
        [
            "devices": counts.devices, "production": counts.production, "development": counts.development,
            "without_token": counts.withoutToken, "refused": counts.refused, "push_off": counts.stopped,
        ]
    }
}

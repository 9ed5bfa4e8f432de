import Hummingbird
import PushModel
import PushService

/// Posthorn's own endpoints for audiences: their size, and segments.
struct AudienceRoutes: Sendable {
    let acceptor: PushAcceptor
    let segments: SegmentController

    func add(to group: RouterGroup<APIContext>) {
        group.add(.post, at: "posthorn/v1/audience") { request, _, app in
            Response(json: Self.json(try await acceptor.count(try await request.bytes(), for: app)))
        }
        group.add(.get, at: "posthorn/v1/segments") { _, _, app in
            var list: [JSONValue] = []
            for segment in segments.segments(of: app.id) {
                list.append(try await json(segment, of: app))
                // Each is counted among all devices of the app.
                await Task.yield()
            }
            return Response(json: ["segments": .array(list)])
        }
        let one = group.resource("posthorn/v1/segments/:segment", [.get, .put, .delete])
        one.on(.get) { _, context, app in
            Response(json: try await json(try segments.segment(try context.segment("segment"), of: app.id), of: app))
        }
        one.on(.put) { request, context, app in
            let name = try context.segment("segment")
            let body = try await request.bytes()
            return Response(json: try await json(try await segments.set(name, body, of: app.id), of: app))
        }
        one.on(.delete) { _, context, app in
            try await segments.delete(try context.segment("segment"), of: app.id)
            return .done
        }
    }

    /// A segment that asks for an earlier push stays in the list when that is gone, without counts.
    private func json(_ segment: Segment, of app: App) async throws -> JSONValue {
        var members: JSONObject = ["name": .string(segment.name), "rule": segment.rule]
        do { members["counts"] = Self.json(try await acceptor.counts(segment, of: app)) } catch let error as JPushError
        {
            members["counts"] = .null
            members["problem"] = .string(error.message)
        }
        return .object(members)
    }

    private static func json(_ counts: AudienceCounts) -> JSONValue {
        [
            "devices": .number(counts.devices), "production": .number(counts.production),
            "development": .number(counts.development), "without_token": .number(counts.withoutToken),
            "refused": .number(counts.refused), "push_off": .number(counts.stopped),
        ]
    }
}

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
                list.append(json(segment, of: app.id))
                // Each is counted among all devices of the app.
                await Task.yield()
            }
            return Response(json: ["segments": .array(list)])
        }
        let one = group.resource("posthorn/v1/segments/:segment", [.get, .put, .delete])
        one.on(.get) { _, context, app in
            Response(json: json(try segments.segment(try context.segment("segment"), of: app.id), of: app.id))
        }
        one.on(.put) { request, context, app in
            let name = try context.segment("segment")
            let body = try await request.bytes()
            return Response(json: json(try await segments.set(name, body, of: app.id), of: app.id))
        }
        one.on(.delete) { _, context, app in
            try await segments.delete(try context.segment("segment"), of: app.id)
            return .done
        }
    }

    private func json(_ segment: Segment, of app: App.ID) -> JSONValue {
        ["name": .string(segment.name), "rule": segment.rule, "counts": Self.json(segments.counts(segment, of: app))]
    }

    private static func json(_ counts: AudienceCounts) -> JSONValue {
        [
            "devices": .number(counts.devices), "production": .number(counts.production),
            "development": .number(counts.development), "without_token": .number(counts.withoutToken),
            "refused": .number(counts.refused), "push_off": .number(counts.stopped),
        ]
    }
}

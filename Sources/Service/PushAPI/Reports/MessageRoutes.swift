import Hummingbird
import PushModel
import PushService

/// Posthorn's own endpoints for pushes: a list, the newest first, and the details of one.
struct MessageRoutes: Sendable {
    let messages: MessageQueries
    let journeys: JourneyQueries

    private static let pageSizes = 1...1000

    func add(to group: RouterGroup<APIContext>) {
        group.get("posthorn/v1/messages") { request, context in
            let app = try caller(context)
            let limit = try request.number("limit", in: Self.pageSizes) ?? 100
            let before = try request.parameter("before").map(Self.messageID)
            let page = try await messages.list(of: app.id, before: before, limit: limit)
            return Response(json: JSONCoding.json(of: MessageListAnswer(page)))
        }
        group.get("posthorn/v1/messages/:message") { _, context in
            let app = try caller(context)
            let id = try Self.messageID(try context.segment("message"))
            guard let message = try await messages.message(id, of: app.id) else {
                let reason = try await journeys.absence(of: id, app: app)?.found
                throw JPushError(status: 404, code: 1003, message: reason ?? "This app has no push \(id).")
            }
            return Response(json: JSONCoding.json(of: message))
        }
        group.refuseMethods(besides: [.get], at: "posthorn/v1/messages", code: 1001)
        group.refuseMethods(besides: [.get], at: "posthorn/v1/messages/:message", code: 1001)
    }

    private static func messageID(_ text: String) throws -> MessageID {
        guard let id = MessageID(text) else {
            throw JPushError.badValue("'\(text)' is not a msg_id; expected decimal digits.")
        }
        return id
    }
}

import Foundation
import HTTPTypes
import Hummingbird
import PushModel
import PushService

/// Posthorn's own endpoints: the calling app, its topics, its events, and the journeys of its pushes.
struct OwnRoutes: Sendable {
    let journeys: JourneyQueries
    let settings: AppSettings
    let events: EventPages
    let timeZone: TimeZone

    func add(to group: RouterGroup<APIContext>) {
        let own = group.resource("posthorn/v1/app", [.get, .put])
        own.on(.get) { _, _, app in Response(of: app.answer(timeZone)) }
        own.on(.put) { request, _, app in
            Response(of: try await settings.change(try await request.bytes(), of: app).answer(timeZone))
        }
        let topics = group.resource("posthorn/v1/topics", [.get, .put])
        topics.on(.get) { _, _, app in Response(json: try await settings.topics(of: app)) }
        topics.on(.put) { request, _, app in
            Response(json: try await settings.changeTopics(try await request.bytes(), of: app))
        }
        group.add(.get, at: "posthorn/v1/events") { request, _, app in
            let page = try await events.page(
                of: app,
                after: Int64(try request.number("after", in: 0...Int.max) ?? 0),
                limit: try request.number("limit", in: 1...10_000) ?? 1000
            )
            var headers = HTTPFields()
            for (name, value) in page.fields { if let name = HTTPField.Name(name) { headers[name] = value } }
            return Response(json: page.body, headers: headers)
        }
        group.add(.get, at: "posthorn/v1/journeys/:message/:registrationID") { _, context, app in
            let messageID = try MessageID(parameter: try context.parameters.require("message"))
            let registrationID = try context.parameters.require("registrationID")
            guard let id = RegistrationID(registrationID) else {
                throw JPushError.badValue("'\(registrationID)' is not a registration id; expected letters and digits.")
            }
            if let journey = try await journeys.journey(of: messageID, to: id, app: app) {
                return Response(of: journey)
            }
            throw Self.notFound(try await journeys.reason(ofAbsence: messageID, to: id, app: app).found)
        }
        group.add(.get, at: "posthorn/v1/apns/:apnsID") { _, context, app in
            let apnsID = try context.parameters.require("apnsID")
            if let journey = try await journeys.journey(ofAPNsID: apnsID, app: app) { return Response(of: journey) }
            throw Self.notFound(try await journeys.absence(ofAPNsID: apnsID, app: app)?.found)
        }
    }

    private static func notFound(_ reason: String?) -> JPushError {
        JPushError(status: 404, code: 1003, message: reason ?? "This app has sent no push with this apns-id.")
    }
}

extension App {
    fileprivate func answer(_ timeZone: TimeZone) -> AppAnswer {
        var answer = AppAnswer(self)
        answer.createdAt = nil
        answer.timeZone = timeZone.identifier
        return answer
    }
}

/// Posthorn's own endpoints for pushes: a list, the newest first, and the details of one.
struct MessageRoutes: Sendable {
    let messages: MessageQueries
    let journeys: JourneyQueries

    func add(to group: RouterGroup<APIContext>) {
        group.add(.get, at: "posthorn/v1/messages") { request, _, app in
            let limit = try request.number("limit", in: 1...1000) ?? 100
            let before = try request.parameter("before").map(MessageID.init(parameter:))
            let text = request.parameter("search").flatMap { $0.isEmpty ? nil : $0 }
            guard text?.utf8.count ?? 0 <= MessageQueries.searchBytes else {
                throw JPushError.badValue(
                    "'search' has \(text?.utf8.count ?? 0) bytes; at most \(MessageQueries.searchBytes) are allowed."
                )
            }
            return Response(
                of: MessageListAnswer(
                    try await messages.list(of: app.id, before: before, limit: limit, containing: text)
                )
            )
        }
        group.add(.get, at: "posthorn/v1/messages/:message") { _, context, app in
            let id = try MessageID(parameter: try context.segment("message"))
            guard let message = try await messages.message(id, of: app.id) else {
                let reason = try await journeys.absence(of: id, app: app)?.found
                throw JPushError(status: 404, code: 1003, message: reason ?? "This app has no push \(id).")
            }
            return Response(of: message)
        }
    }
}

extension MessageID {
    /// Reads an id in a path or a query.
    fileprivate init(parameter text: String) throws {
        guard let id = MessageID(text) else {
            throw JPushError.badValue("'\(text)' is not a msg_id; expected decimal digits.")
        }
        self = id
    }
}

import HTTPTypes
import Hummingbird
import PushModel
import PushService

/// Posthorn's own endpoints: the calling app, its topics, its events, and the journeys of its pushes.
struct OwnRoutes: Sendable {
    let journeys: JourneyQueries
    let settings: AppSettings
    let events: EventPages

    func add(to group: RouterGroup<APIContext>) {
        group.get("posthorn/v1/app") { _, context in
            Response(json: try caller(context).json)
        }
        group.put("posthorn/v1/app") { request, context in
            let app = try caller(context)
            return Response(json: try await settings.change(try await request.bytes(), of: app).json)
        }
        group.get("posthorn/v1/topics") { _, context in
            Response(json: try await settings.topics(of: try caller(context)))
        }
        group.put("posthorn/v1/topics") { request, context in
            let app = try caller(context)
            return Response(json: try await settings.changeTopics(try await request.bytes(), of: app))
        }
        group.get("posthorn/v1/events") { request, context in
            let page = try await events.page(
                of: try caller(context),
                after: Int64(try request.number("after", in: 0...Int.max) ?? 0),
                limit: try request.number("limit", in: 1...10_000) ?? 1000
            )
            var headers = HTTPFields()
            for (name, value) in page.fields {
                if let name = HTTPField.Name(name) { headers[name] = value }
            }
            return Response(json: page.body, headers: headers)
        }
        group.get("posthorn/v1/journeys/:message/:registrationID") { _, context in
            let message = try context.parameters.require("message")
            let registrationID = try context.parameters.require("registrationID")
            guard let messageID = MessageID(message) else {
                throw JPushError.badValue("'\(message)' is not a msg_id; expected decimal digits.")
            }
            guard let id = RegistrationID(registrationID) else {
                throw JPushError.badValue("'\(registrationID)' is not a registration id; expected letters and digits.")
            }
            let app = try caller(context)
            if let journey = try await journeys.journey(of: messageID, to: id, app: app) {
                return Response(json: JSONCoding.json(of: journey))
            }
            throw Self.notFound(try await journeys.absence(of: messageID, to: id, app: app)?.found)
        }
        group.get("posthorn/v1/apns/:apnsID") { _, context in
            let apnsID = try context.parameters.require("apnsID")
            let app = try caller(context)
            if let journey = try await journeys.journey(ofAPNsID: apnsID, app: app) {
                return Response(json: JSONCoding.json(of: journey))
            }
            throw Self.notFound(try await journeys.absence(ofAPNsID: apnsID, app: app)?.found)
        }
        for path in ["app", "topics"] {
            group.refuseMethods(besides: [.get, .put], at: "posthorn/v1/\(path)", code: 1001)
        }
        for path in ["events", "journeys/:message/:registrationID", "apns/:apnsID"] {
            group.refuseMethods(besides: [.get], at: "posthorn/v1/\(path)", code: 1001)
        }
    }

    private static func notFound(_ reason: String?) -> JPushError {
        JPushError(status: 404, code: 1003, message: reason ?? "This app has no such push, or no such device.")
    }
}

extension App {
    fileprivate var json: JSONValue {
        var answer = AppAnswer(self)
        answer.createdAt = nil
        return JSONCoding.json(of: answer)
    }
}

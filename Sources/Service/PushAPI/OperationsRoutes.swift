import Hummingbird
import PushModel
import PushService

/// Posthorn's own: who the caller is, what happened to a push, and why.
struct OperationsRoutes: Sendable {
    let journeys: JourneyBook

    func add(to group: RouterGroup<APIContext>) {
        group.get("posthorn/v1/app") { _, context in
            let app = try caller(context)
            return Response(json: [
                "app_key": .string(app.key.text), "name": .string(app.name), "bundle_id": .string(app.bundleID),
                "environment": .string(app.defaultEnvironment.rawValue),
            ])
        }
        group.get("posthorn/v1/journeys/:message/:registrationID") { _, context in
            let message = try context.parameters.require("message")
            let registrationID = try context.parameters.require("registrationID")
            guard let messageID = MessageID(message) else {
                throw JPushError.badValue("'\(message)' is no msg_id; expected decimal digits.")
            }
            guard let id = RegistrationID(registrationID) else {
                throw JPushError.badValue("'\(registrationID)' is no registration id; expected letters and digits.")
            }
            let app = try caller(context)
            if let journey = try await journeys.journey(of: messageID, to: id, app: app) {
                return Response(json: journey.json)
            }
            throw Self.notFound(try await journeys.absence(of: messageID, to: id, app: app))
        }
        group.get("posthorn/v1/apns/:apnsID") { _, context in
            let apnsID = try context.parameters.require("apnsID")
            let app = try caller(context)
            if let journey = try await journeys.journey(ofAPNsID: apnsID, app: app) {
                return Response(json: journey.json)
            }
            throw Self.notFound(try await journeys.absence(ofAPNsID: apnsID, app: app))
        }
        for path in ["app", "journeys/:message/:registrationID", "apns/:apnsID"] {
            group.refuseMethods(besides: [.get], at: "posthorn/v1/\(path)", code: 1001)
        }
    }

    private static func notFound(_ reason: String?) -> JPushError {
        JPushError(status: 404, code: 1003, message: reason ?? "This app has no such push, or no such device.")
    }
}

import PushModel
import SystemPort
import UIKit

/// What an app of the matrix has seen since its launch, kept in its small store, so that the stage can read it wherever the
/// app runs.
struct MatrixNote: Equatable {
    /// Of the responses, in their order, as the matrix writes them.
    var details: [String] = []
    var hadLaunchOptions = false
    /// They had the payload of a push.
    var hadLaunchPayload = false
    /// They had a local notification.
    var hadLaunchNotification = false

    static let key = "matrix.note"

    init() {}

    @MainActor
    init(of app: MatrixApp) {
        details = app.details
        hadLaunchOptions = app.launchOptions != nil
        hadLaunchPayload = (app.launchOptions?[.remoteNotification] as? [AnyHashable: Any])?["aps"] != nil
        hadLaunchNotification = app.launchOptions?[.localNotification] is UILocalNotification
    }

    /// What the app that runs behind a port has noted; nothing without one.
    init(behind port: (any SystemPort)?) {
        guard case .value(let text?) = port?.read(.readStorage(key: Self.key)),
            let object = (try? JSONValue(parsing: text))?.object
        else { return }
        details = object["details"]?.array?.compactMap(\.string) ?? []
        hadLaunchOptions = object["hadLaunchOptions"]?.bool ?? false
        hadLaunchPayload = object["hadLaunchPayload"]?.bool ?? false
        hadLaunchNotification = object["hadLaunchNotification"]?.bool ?? false
    }

    func write(to port: any SystemPort) {
        let object: JSONObject = [
            "details": .array(details.map { .string($0) }), "hadLaunchOptions": .bool(hadLaunchOptions),
            "hadLaunchPayload": .bool(hadLaunchPayload), "hadLaunchNotification": .bool(hadLaunchNotification),
        ]
        port.call(.writeStorage(key: Self.key, value: JSONValue.object(object).text)) { _ in }
    }
}

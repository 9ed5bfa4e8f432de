import PushModel
import SystemPort
import UIKit

/// The events an app of the matrix has seen since its launch, kept in its small store, so that the stage can read them
/// wherever the app runs.
struct MatrixNote: Equatable {
    /// The details of the responses, in order, in the notation of the matrix.
    var details: [String] = []
    var hadLaunchOptions = false
    /// Whether the launch options had the payload of a push.
    var hadLaunchPayload = false
    /// Whether the launch options had a local notification.
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

    /// Reads the note of the app behind a port; empty without a port.
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
            "details": .strings(details), "hadLaunchOptions": .bool(hadLaunchOptions),
            "hadLaunchPayload": .bool(hadLaunchPayload), "hadLaunchNotification": .bool(hadLaunchNotification),
        ]
        port.call(.writeStorage(key: Self.key, value: JSONValue.object(object).text)) { _ in }
    }
}

import Foundation
import SystemPort
import UIKit

/// The events an app of the matrix has seen since its launch, kept in its small store, so that the stage can read them
/// wherever the app runs.
struct MatrixNote: Equatable, Codable {
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
            let note = try? JSONDecoder().decode(Self.self, from: Data(text.utf8))
        else { return }
        self = note
    }

    func write(to port: any SystemPort) {
        guard let note = try? JSONEncoder().encode(self) else { return }
        port.call(.writeStorage(key: Self.key, value: String(decoding: note, as: UTF8.self))) { _ in }
    }
}

import Foundation
import SystemPort
import UIKit

/// The events an app of the matrix has seen since its launch, kept in its small store, so that the stage can read them
/// wherever the app runs.
struct MatrixNote: Equatable, Codable {
    /// The details of the responses, in order, in the notation of the matrix.
    var details: [String] = []
    /// The options of the launch.
    var launch = MatrixLaunch.none

    static let key = "matrix.note"

    init() {}

    @MainActor
    init(of app: MatrixApp) {
        details = app.details
        guard let options = app.launchOptions else { return }
        if (options[.remoteNotification] as? [AnyHashable: Any])?["aps"] != nil {
            launch = .push
        } else {
            launch = options[.localNotification] is UILocalNotification ? .local : .other
        }
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

import Foundation
import PushModel
import SystemPort
import SystemPortSocket
import UIKit

/// The apps of the matrix and their service extensions as a separate program, whose Info.plist selects one of them.
package enum MatrixProgram {
    static let planKey = "MatrixPlan"

    /// Runs as the app or the extension the device asks for, until the device ends it.
    package static func run() {
        let info = SocketPort.ofThisProcess?.facts.info ?? [:]
        if info["NSExtension"] != nil { NSExtensionMain() }
        AppMain.run { facts in MatrixAppPlan(facts.info[planKey]).makeApp() }
    }
}

extension MatrixAppPlan {
    /// Reads a plan from ``json``; missing members have their default values.
    init(_ json: JSONValue?) {
        self.init()
        let object = json?.object ?? [:]
        if let bits = object["options"]?.integer { options = UNNotificationPresentationOptions(rawValue: UInt(bits)) }
        zeroesBadge = object["zeroesBadge"]?.bool ?? zeroesBadge
        asksPermission = object["asksPermission"]?.bool ?? asksPermission
        localCategory = object["localCategory"]?.string
        delegate = object["delegate"]?.string.flatMap(MatrixCase.Delegate.init) ?? delegate
    }

    var json: JSONValue {
        var object: JSONObject = [
            "options": .number(options.rawValue), "zeroesBadge": .bool(zeroesBadge),
            "asksPermission": .bool(asksPermission), "delegate": .string(delegate.rawValue),
        ]
        object["localCategory"] = JSONValue(localCategory)
        return .object(object)
    }

    /// Creates the app with the plan's delegate.
    @MainActor
    package func makeApp() -> MatrixApp {
        switch delegate {
        case .complete: CompleteMatrixApp.make(self)
        case .none: MatrixApp.make(self)
        case .withoutWillPresent: HalfMatrixApp.make(self)
        case .neverAnswers: SilentMatrixApp.make(self)
        case .legacy: LegacyMatrixApp.make(self)
        }
    }
}

/// The events an app of the matrix has seen since its launch, kept in its small store, so that the stage can read them
/// wherever the app runs.
struct MatrixNote: Equatable, Codable {
    /// The details of the responses, in order, in the notation of the matrix.
    var details: [String] = []
    /// The causes for which the scene was connected, in the notation of the matrix.
    var connections: [String] = []
    /// The options of the launch.
    var launch = MatrixLaunch.none

    static let key = "matrix.note"

    init() {}

    @MainActor
    init(of app: MatrixApp) {
        details = app.details
        connections = app.connections
        guard let options = app.launchOptions else { return }
        if (options[.remoteNotification] as? [AnyHashable: Any])?["aps"] != nil {
            launch = .push
        } else if options[.shortcutItem] is UIApplicationShortcutItem {
            launch = .shortcut
        } else if options[.url] is URL {
            launch = .url
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
        port.call(.writeStorage(key: Self.key, value: String(decoding: note, as: UTF8.self)))
    }
}

import Foundation
import PushClock
import SystemPort

/// The user service: shows the notifications of all apps of the user, also while they do not run, and starts an app that the user wants.
///
/// Apps call it over the session bus, with the calls, replies and events of the port as JSON. Whoever may use the user's session bus may
/// show notifications in the name of any app, as with the notification server itself.
package final class DesktopService: Sendable {
    /// The name on the bus, and the interface.
    package static let busName = "org.posthorn.Desktop1"
    package static let path = "/org/posthorn/Desktop1"

    private let center: DesktopCenter
    private let bus: BusConnection
    private let ended: Announcement<Void>

    /// Starts the service.
    ///
    /// - Parameter environment: the user's desktop.
    /// - Throws: the reason if the bus cannot be reached, or the service runs already.
    package init(_ environment: DesktopEnvironment) throws(BusProblem) {
        let center = DesktopCenter(environment) { event, app, client, bus in
            guard let text = PortJSON.text(event) else { return }
            let arguments: [BusValue] = [.string(app), .string(text)]
            bus?.emit(BusMessage("Event", of: Self.busName, at: Self.path, to: client, arguments))
        }
        let ended = Announcement<Void>()
        bus = try BusConnection(environment.busAddress, matches: DesktopCenter.matches) { event in
            switch event {
            case .signal(let signal): center.receive(signal)
            case .alarm: center.ring()
            case .call(let call): return Self.answer(call, by: center)
            case .lost: ended.make(.success(()))
            }
            return nil
        }
        self.center = center
        self.ended = ended
        center.start(bus)
        // The name comes before the files: the owner of the name is the only one to claim them. An app that calls in between is loaded
        // by its call.
        do throws(BusProblem) { try bus.own(Self.busName) } catch {
            stop()
            throw error
        }
        center.loadAll()
    }

    /// Returns when the connection to the bus has ended: at the end of the session.
    ///
    /// - Throws: `CancellationError`.
    package func run() async throws {
        try await withTaskCancellationHandler {
            try await ended.value
        } onCancel: {
            stop()
        }
    }

    /// Ends the service: apps keep what is pending and shown, and another process may take them over.
    package func stop() {
        bus.close()
        center.stop()
    }

    private static func answer(_ call: BusMessage, by center: DesktopCenter) -> BusAnswer? {
        guard call.interface == busName, call.path == path, let app = call.text(0), let program = call.text(1) else {
            return nil
        }
        do throws(BusProblem) {
            try center.load(app, program: program)
        } catch {
            return .failure(BusProblem(name: "\(busName).Error.Failed", error.text))
        }
        switch call.member {
        case "Call":
            guard let text = call.text(2), let order: SystemCall = PortJSON.value(text) else {
                let text = "The third argument is not a call of this version's port."
                return .failure(BusProblem(name: "org.freedesktop.DBus.Error.InvalidArgs", text))
            }
            return .success(PortJSON.text(center.answer(order, of: app)).map { [.string($0)] } ?? [])
        case "Attach":
            center.attach(call.sender, to: app, program: program)
            return .success([])
        default: return nil
        }
    }
}

/// The values of the port as texts on the bus.
enum PortJSON {
    static func text(_ value: some Encodable) -> String? {
        (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns nil for a text that is no such value.
    static func value<Value: Decodable>(_ text: String) -> Value? {
        try? JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }
}

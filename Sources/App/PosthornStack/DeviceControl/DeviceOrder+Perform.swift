import Foundation
package import PushClock
package import PushDevice
import PushModel
import SystemPort

extension DeviceOrder {
    /// Carries the order out.
    ///
    /// Returns a sentence about what happened; for ``screen`` the screen as JSON.
    /// - Throws: ``DeviceOrderProblem`` when it cannot be done now.
    package func perform(
        on device: PushDevice.Device,
        app bundleID: String,
        courier: String,
        clock: TurnableClock
    ) async throws -> String {
        switch self {
        case .tap(let id): try act(on: id, device, "tapped") { device.tap($0) }
        case .dismiss(let id): try act(on: id, device, "dismissed") { device.dismiss($0) }
        case .open: device.open(bundleID)
        case .background: device.background(bundleID)
        case .kill: device.forceQuit(bundleID)
        case .allow, .deny:
            guard device.screen.prompt != nil else { throw DeviceOrderProblem("There is no question on the screen.") }
            device.answerPrompt(self == .allow)
        case .turnClock(let duration): clock.turn(by: duration)
        case .turnClockToNext:
            guard clock.turnToNextDeadline() != nil else { throw DeviceOrderProblem("Nothing waits for the clock.") }
        case .network(true): device.connect(courier: courier)
        case .network(false): device.disconnect()
        case .screen: return device.screen.json(at: clock.date).text
        }
        await device.settled()
        return "done: \(words.joined(separator: " "))"
    }

    private func act(
        on id: String?,
        _ device: PushDevice.Device,
        _ verb: String,
        _ body: (String) -> Bool
    ) throws {
        let screen = device.screen
        guard let id = id ?? screen.banner?.apnsID ?? screen.list.first?.apnsID else {
            throw DeviceOrderProblem("There is no notification to be \(verb).")
        }
        guard body(id) else { throw DeviceOrderProblem("The notification \(id) is not on the screen.") }
    }
}

extension Screen {
    /// What a person sees.
    fileprivate func json(at date: Date) -> JSONValue {
        func shown(_ notification: ShownNotification) -> JSONValue {
            [
                "apnsID": .string(notification.apnsID), "app": .string(notification.bundleID),
                "title": .string(notification.title), "subtitle": .string(notification.subtitle),
                "body": .string(notification.body),
            ]
        }
        return [
            "date": .string(date.formatted(.iso8601)), "front": front.map { .string($0) } ?? .null,
            "prompt": prompt.map { .string($0.text) } ?? .null, "banner": banner.map(shown) ?? .null,
            "list": .array(list.map(shown)),
            "badges": .object(
                JSONObject(badges.sorted { $0.key < $1.key }.map { ($0.key, .integer(Int64($0.value))) })
            ),
        ]
    }
}

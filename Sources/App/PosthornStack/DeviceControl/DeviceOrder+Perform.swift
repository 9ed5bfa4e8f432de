import Foundation
package import PushClock
package import PushDevice
import PushModel
import SystemPort

extension DeviceOrder {
    /// Carries out the order.
    ///
    /// - Throws: ``DeviceOrderProblem`` when the order cannot be carried out now.
    package func perform(
        on device: PushDevice.Device,
        app bundleID: String,
        courier: String,
        clock: TurnableClock
    ) async throws -> DeviceOrderReply {
        let isDone = try changeSurroundings(of: device, app: bundleID, courier: courier, clock: clock)
        if try isDone || act(on: bundleID, of: device) {
            return .done(isSettled: await device.settledInTime())
        }
        switch self {
        case .tap(let id): try act(on: id, of: device, verb: "tapped") { device.tap($0) }
        case .longPress(let id): return .content(try buttons(of: id, device).text)
        case .action(let action, let id):
            try check(device.choose(action, on: try target(id, of: device, verb: "acted upon")), action)
        case .reply(let text, let id): try reply(text, to: id, device)
        case .dismiss(let id): try act(on: id, of: device, verb: "dismissed") { device.dismiss($0) }
        case .clear: device.clearAll()
        case .lock: device.lock()
        case .unlock: device.unlock()
        case .reboot: device.reboot()
        case .open: device.open(bundleID)
        case .background: device.background(bundleID)
        case .kill: device.forceQuit(bundleID)
        case .allow, .deny:
            if device.screen.prompt != nil {
                device.answerPrompt(self == .allow)
            } else {
                device.setNotifications(of: bundleID, allowed: self == .allow)
            }
        case .playPause:
            guard device.pressPlayPause() else {
                throw DeviceOrderProblem(
                    "No notification is opened up that has a media button; 'long-press' opens one."
                )
            }
        case .openURL(let url):
            guard device.openURL(url) else {
                throw DeviceOrderProblem("No app on the device opens '\(url.scheme ?? "")' links.")
            }
        case .addLocal(let local):
            do { try device.addLocal(try local.request(), to: bundleID) } catch let error as SystemError {
                throw DeviceOrderProblem("The app gets an error, \(error.domain) \(error.code): \(error.text)")
            }
        case .listLocal: return .content(device.pending(of: bundleID).text)
        case .removeLocal(let identifier): device.removeLocal([identifier], of: bundleID)
        case .tapAlert(let button): try alert { () throws(AlertProblem) in try device.tapAlertButton(button) }
        case .writeInAlert(let text, let field):
            try alert { () throws(AlertProblem) in try device.writeInAlert(text, field: field) }
        case .call(let order): try order.perform(on: device)
        case .screen: return .content(try device.phoneState.json)
        case .closeExpanded: device.closeExpanded()
        case .flickBanner: device.flickBanner()
        default: break
        }
        return .done(isSettled: await device.settledInTime())
    }

    /// Carries out an order that changes the device's surroundings or settings.
    ///
    /// - Returns: false for another order.
    private func changeSurroundings(
        of device: PushDevice.Device,
        app bundleID: String,
        courier: String,
        clock: TurnableClock
    ) throws -> Bool {
        switch self {
        case .location(let latitude, let longitude):
            device.move(to: Coordinate(latitude: latitude, longitude: longitude))
        case .locationAccess(let access): device.setLocationAccess(of: bundleID, to: access)
        case .summary(let times): device.setSummaryTimes(times)
        case .summarize(let isOn): device.changeSettings(of: bundleID) { $0.scheduledDelivery = isOn }
        case .language(let language): device.setLanguage(language)
        case .timeZone(let name): if let zone = TimeZone(identifier: name) { device.setTimeZone(zone) }
        case .turnClock(let seconds): clock.turn(by: .seconds(seconds))
        case .turnClockToNext:
            guard clock.turnToNextDeadline() != nil else { throw DeviceOrderProblem("Nothing waits for the clock.") }
        case .network(true): device.connect(courier: courier)
        case .network(false): device.disconnect()
        case .turnClockToFiring:
            guard let date = device.nextFiring else {
                throw DeviceOrderProblem("No local notification and no summary waits for a time.")
            }
            clock.turn(by: .seconds(max(0, date.timeIntervalSince(clock.date))))
        case .turnClockTo(let seconds):
            let rest = seconds - clock.date.timeIntervalSince1970
            guard rest.isFinite, rest >= 0, rest < 100 * 366 * 86_400 else {
                throw DeviceOrderProblem("The clock only moves forward, and by up to 100 years.")
            }
            clock.turn(by: .seconds(rest))
        case .focus(""): device.setFocus(nil)
        case .focus(let name):
            device.setFocus(name == Focus.doNotDisturb.name ? .doNotDisturb : Focus(name: name))
        case .settings(let change): device.changeSettings(of: bundleID) { change.apply(to: &$0) }
        default: return false
        }
        return true
    }

    private func alert(_ body: () throws(AlertProblem) -> Void) throws {
        do throws(AlertProblem) { try body() } catch { throw DeviceOrderProblem(error.description) }
    }

    private func act(
        on id: String?,
        of device: PushDevice.Device,
        verb: String,
        _ body: (String) -> Bool
    ) throws {
        let id = try target(id, of: device, verb: verb)
        guard body(id) else { throw DeviceOrderProblem("The notification \(id) is not on the screen.") }
    }

    private func target(_ id: String?, of device: PushDevice.Device, verb: String) throws -> String {
        let screen = device.screen
        guard let id = id ?? screen.banner?.id ?? screen.inApp?.id ?? screen.list.first?.id else {
            throw DeviceOrderProblem("There is no notification to be \(verb).")
        }
        return id
    }

    private func buttons(of id: String?, _ device: PushDevice.Device) throws -> JSONValue {
        let actions = device.longPress(try target(id, of: device, verb: "opened up"))
        return .array(
            actions.map { action in
                [
                    "id": .string(action.identifier), "title": .string(action.title),
                    "asksForText": .bool(action.textInput != nil),
                ]
            }
        )
    }

    private func reply(_ text: String, to id: String?, _ device: PushDevice.Device) throws {
        let id = try target(id, of: device, verb: "replied to")
        guard let action = device.longPress(id).first(where: { $0.textInput != nil }) else {
            throw DeviceOrderProblem("The notification has no button that asks for text.")
        }
        try check(device.reply(text, with: action.identifier, to: id), action.identifier)
    }

    private func check(_ outcome: UserActionOutcome, _ action: String) throws {
        switch outcome {
        case .done, .waitsForUnlock: break
        case .notThere: throw DeviceOrderProblem("The notification is not on the screen.")
        case .noSuchAction:
            throw DeviceOrderProblem("The notification has no button '\(action)'; 'long-press' shows which it has.")
        }
    }
}

extension DeviceOrder.LocalNotification {
    /// Returns the notification request; throws ``DeviceOrderProblem`` for an invalid trigger.
    fileprivate func request() throws -> RequestRecord {
        var content = ContentRecord()
        content.title = title
        content.body = body
        return RequestRecord(identifier: identifier, content: content, trigger: try record())
    }

    private func record() throws -> TriggerRecord? {
        if let place {
            let region = GeoRegion(
                identifier: identifier,
                shape: .circle(
                    center: Coordinate(latitude: place.latitude, longitude: place.longitude),
                    radius: place.radius
                ),
                notifyOnEntry: !place.isExit,
                notifyOnExit: place.isExit
            )
            return .location(region, repeats: repeats)
        }
        guard !trigger.isEmpty else { return nil }
        do {
            switch try TriggerText(parsing: trigger, repeats: repeats) {
            case .calendar(let components): return .calendar(components, repeats: repeats)
            case .interval(let interval): return .timeInterval(interval.seconds, repeats: repeats)
            }
        } catch {
            throw DeviceOrderProblem("\(error)")
        }
    }
}

extension PushDevice.Device {
    /// The pending local notifications, the next to fire first.
    fileprivate func pending(of bundleID: String) -> JSONValue {
        .array(
            pendingRequests(of: bundleID).map { request in
                let date = nextFiring(of: request.identifier, in: bundleID)
                return [
                    "id": .string(request.identifier), "title": .string(request.content.title),
                    "body": .string(request.content.body), "repeats": .bool(request.trigger?.repeats ?? false),
                    "next": date.map { .string($0.formatted(.iso8601)) } ?? .null,
                ]
            }
        )
    }

    /// The time of the next local notification of any app, or of the next scheduled summary.
    fileprivate var nextFiring: Date? {
        let state = phoneState
        return (state.apps.map(\.nextFiring) + [state.nextSummary]).compactMap(\.self).min()
    }
}

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
        let performer = OrderPerformer(device: device, bundleID: bundleID, courier: courier, clock: clock)
        do { if let content = try performer.perform(self) { return .content(content) } } catch {
            throw DeviceOrderProblem("\(error)")
        }
        return .done(isSettled: await device.settledInTime())
    }
}

/// A device with everything that orders act on.
private struct OrderPerformer {
    let device: PushDevice.Device
    /// The app that an order is for.
    let bundleID: String
    /// The URL of the device's gateway.
    let courier: String
    let clock: TurnableClock

    /// Carries out an order.
    ///
    /// - Returns: the content that the order asks for, as JSON; nil if it asks for none.
    func perform(_ order: DeviceOrder) throws -> String? {
        switch order {
        case .screen: return try device.phoneState.json
        case .listLocal: return JSONCoding.json(of: device.pending(of: bundleID)).text
        case .longPress(let id): return JSONCoding.json(of: try buttons(of: id)).text
        case .tap(let id): try touch(id, verb: "tapped") { device.tap($0) }
        case .dismiss(let id): try touch(id, verb: "dismissed") { device.dismiss($0) }
        case .action(let action, let id): try choose(action, on: id)
        case .reply(let text, let id): try reply(text, to: id)
        case .clear: device.clearAll()
        case .closeExpanded: device.closeExpanded()
        case .flickBanner: device.flickBanner()
        case .playPause:
            try require(
                device.pressPlayPause(),
                "No notification is opened up that has a media button; 'long-press' opens one."
            )
        case .open: device.open(bundleID)
        case .background: device.background(bundleID)
        case .kill: device.forceQuit(bundleID)
        case .lock: device.lock()
        case .unlock: device.unlock()
        case .reboot: device.reboot()
        case .allow: answer(true)
        case .deny: answer(false)
        case .tapAlert(let button): try device.tapAlertButton(button)
        case .writeInAlert(let text, let field): try device.writeInAlert(text, field: field)
        case .call(let order): try order.perform(on: device)
        case .activity(let order): try order.perform(on: device, app: bundleID)
        case .location(let north, let east): device.move(to: Coordinate(latitude: north, longitude: east))
        case .locationAccess(let access): device.setLocationAccess(of: bundleID, to: access)
        case .preciseLocation(let isOn): device.setPreciseLocation(of: bundleID, allowed: isOn)
        case .turn(let degrees): device.turn(to: degrees)
        case .beacons(let beacons): device.setBeacons(beacons)
        case .summary(let times): device.setSummaryTimes(times)
        case .summarize(let isOn): device.changeSettings(of: bundleID) { $0.scheduledDelivery = isOn }
        case .settings(let change): device.changeSettings(of: bundleID) { change.apply(to: &$0) }
        case .focus(let name): device.setFocus(name.isEmpty ? nil : focus(name))
        case .language(let language): try speak(language)
        case .storefront(let country): device.setStorefront(country)
        case .timeZone(let name): device.setTimeZone(try zone(name))
        case .network(true): device.connect(courier: courier)
        case .network(false): device.disconnect()
        case .turnClock(let seconds): clock.turn(by: .seconds(seconds))
        case .turnClockToNext: try require(clock.turnToNextDeadline() != nil, "Nothing waits for the clock.")
        case .turnClockToFiring: try turnToFiring()
        case .turnClockTo(let seconds): try turn(to: seconds)
        case .openURL(let url):
            try require(device.openURL(url), "No app on the device opens '\(url.scheme ?? "")' links.")
        case .addLocal(let local): try add(local)
        case .removeLocal(let identifier): device.removeLocal([identifier], of: bundleID)
        case .shortcut(let type): try chooseShortcut(type)
        case .handOff(let activity): try check(device.handOff(activity, to: bundleID), continuing: activity.type)
        case .failHandOff(let type): try check(device.failHandOff(of: type, to: bundleID), continuing: type)
        case .memoryWarning: device.warnOfMemory()
        case .backgroundFetch: try fetchInBackground()
        case .finishSession(let identifier): try finishSession(identifier)
        }
        return nil
    }

    // MARK: Notifications

    private func target(_ id: String?, verb: String) throws -> String {
        let screen = device.screen
        guard let id = id ?? screen.banner?.id ?? screen.inApp?.id ?? screen.list.first?.id else {
            throw DeviceOrderProblem("There is no notification to be \(verb).")
        }
        return id
    }

    private func touch(_ id: String?, verb: String, _ body: (String) -> Bool) throws {
        let id = try target(id, verb: verb)
        try require(body(id), "The notification \(id) is not on the screen.")
    }

    private func buttons(of id: String?) throws -> [JSONMembers] {
        let actions = device.longPress(try target(id, verb: "opened up"))
        return actions.map { action in
            ["id": action.identifier, "title": action.title, "asksForText": action.textInput != nil]
        }
    }

    private func choose(_ action: String, on id: String?) throws {
        try check(device.choose(action, on: try target(id, verb: "acted upon")), action)
    }

    private func reply(_ text: String, to id: String?) throws {
        let id = try target(id, verb: "replied to")
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

    private func add(_ local: DeviceOrder.LocalNotification) throws {
        do { try device.addLocal(try local.request(), to: bundleID) } catch let error as SystemError {
            throw DeviceOrderProblem("The app gets an error, \(error.domain) \(error.code): \(error.text)")
        }
    }

    // MARK: Prompts, alerts and settings

    /// Answers the prompt on the screen; without one, turns the app's notifications on or off.
    private func answer(_ isAllowed: Bool) {
        guard device.screen.prompt != nil else { return device.setNotifications(of: bundleID, allowed: isAllowed) }
        device.answerPrompt(isAllowed)
    }

    private func speak(_ language: String) throws {
        try require(
            LanguageTag(language) != nil && !language.contains("_"),
            "'language' is '\(language.prefix(40))'; expected a tag such as de or zh-Hans."
        )
        device.setLanguage(language)
    }

    private func zone(_ name: String) throws -> TimeZone {
        guard let zone = TimeZone(iana: name) else {
            throw DeviceOrderProblem(
                "'\(name)' is no time zone; expected \(TimeZone.expectedName(insteadOf: name, such: "Europe/Berlin"))."
            )
        }
        return zone
    }

    private func focus(_ name: String) -> Focus { name == Focus.doNotDisturb.name ? .doNotDisturb : Focus(name: name) }

    // MARK: The clock

    private func turnToFiring() throws {
        guard let date = device.nextFiring else {
            throw DeviceOrderProblem("No local notification and no summary waits for a time.")
        }
        clock.turn(by: .seconds(max(0, date.timeIntervalSince(clock.date))))
    }

    private func turn(to seconds: Double) throws {
        let rest = seconds - clock.date.timeIntervalSince1970
        try require(
            rest.isFinite && rest >= 0 && rest < 100 * 366 * 86_400,
            "The clock only moves forward, and by up to 100 years."
        )
        clock.turn(by: .seconds(rest))
    }

    // MARK: Apps

    private func chooseShortcut(_ type: String) throws {
        guard !device.chooseShortcut(type, of: bundleID) else { return }
        try checkUnlocked()
        let types = device.shortcuts(of: bundleID).map { "'\($0.type)'" }
        let there = types.isEmpty ? "it shows none" : "it shows \(types.joined(separator: ", "))"
        throw DeviceOrderProblem("The icon of '\(bundleID)' shows no quick action '\(type)'; \(there).")
    }

    private func check(_ isDone: Bool, continuing type: String) throws {
        guard !isDone else { return }
        try checkUnlocked()
        throw DeviceOrderProblem(
            "'\(bundleID)' does not continue activities of type '\(type)': NSUserActivityTypes of its Info.plist does not have it."
        )
    }

    private func checkUnlocked() throws {
        try require(!device.screen.isLocked, "The device is locked; unlock it first.")
    }

    private func fetchInBackground() throws {
        try require(
            device.fetchInBackground(bundleID),
            "'\(bundleID)' may not fetch in the background: it needs the background mode 'fetch', no BGTaskScheduler and "
                + "background refresh, must not be in the foreground or swiped away, and the device not in Low Power Mode."
        )
    }

    private func finishSession(_ identifier: String) throws {
        try require(
            device.finishBackgroundSession(identifier, of: bundleID),
            "'\(bundleID)' gets no event: it is in the foreground, where its session tells its delegate itself, or it was "
                + "swiped away, which cancels its transfers."
        )
    }

    private func require(_ isSo: Bool, _ problem: @autoclosure () -> String) throws {
        guard isSo else { throw DeviceOrderProblem(problem()) }
    }
}

extension DeviceOrder.LocalNotification {
    /// Returns the notification request; throws for an invalid trigger.
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
        return switch try TriggerText(parsing: trigger, repeats: repeats) {
        case .calendar(let components): .calendar(components, repeats: repeats)
        case .interval(let interval): .timeInterval(interval.seconds, repeats: repeats)
        }
    }
}

extension PushDevice.Device {
    /// The pending local notifications, the next to fire first.
    fileprivate func pending(of bundleID: String) -> [JSONMembers] {
        pendingRequests(of: bundleID).map { request in
            [
                "id": request.identifier, "title": request.content.title, "body": request.content.body,
                "repeats": request.trigger?.repeats ?? false, "next": nextFiring(of: request.identifier, in: bundleID),
            ]
        }
    }

    /// The time of the next local notification of any app, or of the next scheduled summary.
    fileprivate var nextFiring: Date? {
        let state = phoneState
        return (state.apps.map(\.nextFiring) + [state.nextSummary]).compactMap(\.self).min()
    }
}

extension PushDevice.Device {
    /// The timeout for a hanging app: a little longer than the system gives it for its last event.
    private static let patience = Duration.seconds(6)

    /// Waits until the apps have processed all their events, with a timeout, because one may hang.
    ///
    /// Returns false on timeout.
    package func settledInTime() async -> Bool {
        // In the machine's time: the device's clock may be moved meanwhile.
        let isSettled = try? await withTimeout(Self.patience) {
            await self.settled()
            return !Task.isCancelled
        }
        return isSettled ?? false
    }
}

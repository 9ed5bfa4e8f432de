package import Foundation
package import PushDevice
package import SystemPort

/// An order to a running device: an action of the user or a change in its surroundings.
///
/// The command line creates it from its arguments and sends it as JSON; the device decodes and performs it.
package enum DeviceOrder: Hashable, Sendable, Codable {
    /// Taps the notification with this id, or the newest one.
    case tap(id: String?)
    /// Expands the notification, which shows its buttons.
    case longPress(id: String?)
    /// Presses the button with this identifier.
    case action(String, id: String?)
    /// Sends text with the first button that asks for it.
    case reply(text: String, id: String?)
    case dismiss(id: String?)
    case clear
    case open
    case background
    case kill
    case lock
    case unlock
    case reboot
    /// Answers the prompt on the screen; without one, turns the app's notifications on or off.
    case allow
    case deny
    case location(latitude: Double, longitude: Double)
    /// Sets the app's access to the device's location.
    case locationAccess(LocationAuthorization)
    /// Presses the media button of the expanded notification.
    case playPause
    /// Sets the times of the scheduled summary; an empty array removes them.
    case summary(times: [TimeOfDay])
    /// Adds the app's notifications to the scheduled summary, or removes them.
    case summarize(Bool)
    case language(String)
    /// Changes the App Store's country, by its three letters.
    case storefront(String)
    case openURL(URL)
    /// Sets the time zone, by its name in the IANA database.
    case timeZone(String)
    case addLocal(LocalNotification)
    case listLocal
    case removeLocal(id: String)
    case turnClock(seconds: Int64)
    case turnClockToNext
    /// Moves the clock to the next local notification that fires, or to the next scheduled summary.
    case turnClockToFiring
    /// Moves the clock forward to a date, in seconds since 1970.
    case turnClockTo(Double)
    /// Turns on a Focus by its name; an empty name turns it off. `Do Not Disturb` lets nothing through.
    case focus(String)
    /// Changes the notification settings of the app.
    case settings(SettingsChange)
    /// Taps the button with this title of the alert on the screen.
    case tapAlert(button: String)
    /// Replaces the text in a field of the alert on the screen; fields count from 0.
    case writeInAlert(text: String, field: Int)
    /// An action of the user on a call.
    case call(CallOrder)
    /// An action of the user on a Live Activity, or on the settings of Live Activities.
    case activity(ActivityOrder)
    /// Closes the expanded view.
    case closeExpanded
    /// Flicks the banner away: the notification stays in the notification centre.
    case flickBanner
    case network(Bool)
    /// Turns the top of the device to a direction, in degrees clockwise from north.
    case turn(degrees: Double)
    /// Sets the beacons nearby.
    case beacons([NearbyBeacon])
    /// Sets "Precise Location" of the app.
    case preciseLocation(Bool)
    /// Chooses a quick action of the app's icon, by its type.
    case shortcut(String)
    /// Continues an activity of another device in the app.
    case handOff(ActivityRecord)
    /// Continues an activity of this type whose data does not arrive.
    case failHandOff(type: String)
    case memoryWarning
    case backgroundFetch
    /// Finishes the transfers of a background session of the app.
    case finishSession(id: String)
    /// Returns the content of the screen as JSON.
    case screen

    /// A change of an app's notification settings; members that are nil stay as they are.
    package struct SettingsChange: Hashable, Sendable, Codable {
        package var sounds: Bool?
        package var badges: Bool?
        package var banners: Bool?
        /// When previews are shown.
        package var previews: SettingsRecord.Previews?
        package var grouping: SettingsRecord.Grouping?

        package init(_ change: (inout Self) -> Void = { _ in }) { change(&self) }

        package func apply(to settings: inout SettingsRecord) {
            func set(_ kind: UInt, _ isOn: Bool?) {
                guard let isOn else { return }
                if isOn {
                    settings.allowed |= kind
                } else {
                    settings.allowed &= ~kind
                }
            }
            set(SettingsRecord.sound, sounds)
            set(SettingsRecord.badge, badges)
            if let banners { settings.showsBanners = banners }
            if let previews { settings.previews = previews }
            if let grouping { settings.grouping = grouping }
        }
    }

    /// A local notification, as the command line describes it.
    package struct LocalNotification: Hashable, Sendable, Codable {
        /// A circle that the device enters, or leaves.
        package struct Place: Hashable, Sendable, Codable {
            /// In degrees.
            package var latitude: Double
            package var longitude: Double
            /// In metres.
            package var radius: Double
            package var isExit: Bool

            package init(latitude: Double, longitude: Double, radius: Double, isExit: Bool) {
                self.latitude = latitude
                self.longitude = longitude
                self.radius = radius
                self.isExit = isExit
            }
        }

        package var identifier: String
        /// The trigger: date components such as `weekday=2 hour=8`, or `interval=60`; empty for immediately.
        package var trigger: String
        /// The place that fires it, instead of a trigger in time.
        package var place: Place?
        package var repeats: Bool
        package var title: String
        package var body: String

        package init(identifier: String, trigger: String, place: Place?, repeats: Bool, title: String, body: String) {
            self.identifier = identifier
            self.trigger = trigger
            self.place = place
            self.repeats = repeats
            self.title = title
            self.body = body
        }
    }
}

/// The device's reply to an order that it has carried out.
package enum DeviceOrderReply: Hashable, Sendable, Codable {
    /// The requested content as JSON, for ``DeviceOrder/screen``, ``DeviceOrder/longPress(id:)`` and ``DeviceOrder/listLocal``.
    case content(String)
    /// The order is carried out. `isSettled` is false if an app has not taken its event yet.
    case done(isSettled: Bool)
}

/// An order that is invalid or cannot be carried out now.
package struct DeviceOrderProblem: Error, Equatable, CustomStringConvertible {
    package var description: String
    init(_ description: String) { self.description = description }
}

/// An order to a running device: an action of the user on a call. Without an id, the newest call that can be touched in this way is
/// meant.
package enum CallOrder: Hashable, Sendable, Codable {
    /// Answers the call; another one is put on hold, or ended.
    case answer(id: UUID?, endsOthers: Bool)
    case decline(id: UUID?)
    case hangUp(id: UUID?)
    case mute(Bool, id: UUID?)
    case hold(Bool, id: UUID?)
    case keypad(digits: String, id: UUID?)
    case merge

    func perform(on device: PushDevice.Device) throws {
        switch self {
        case .answer(let id, let endsOthers): try device.answerCall(id, endingOthers: endsOthers)
        case .decline(let id): try device.declineCall(id)
        case .hangUp(let id): try device.endCall(id)
        case .mute(let isMuted, let id): try device.setCallMuted(isMuted, id)
        case .hold(let isHeld, let id): try device.setCallHeld(isHeld, id)
        case .keypad(let digits, let id): try device.playDTMF(digits, id)
        case .merge: try device.mergeCalls()
        }
    }
}

/// An order to a running device: an action of the user on a Live Activity, or on their settings. Without an id, the most relevant
/// activity is meant.
package enum ActivityOrder: Hashable, Sendable, Codable {
    /// Touches the activity, which opens its app.
    case tap(id: String?)
    /// Swipes the activity off the lock screen, which ends it.
    case dismiss(id: String?)
    /// Sets "Live Activities" of the app.
    case allow(Bool)
    /// Sets "More Frequent Updates" of the app.
    case allowFrequent(Bool)

    /// Carries out the order.
    ///
    /// - Parameters:
    ///   - device: the device.
    ///   - bundleID: the app whose settings change.
    /// - Throws: ``DeviceOrderProblem`` when the order cannot be carried out now.
    func perform(on device: PushDevice.Device, app bundleID: String) throws {
        switch self {
        case .tap(let id):
            let id = try target(id, of: device)
            guard !device.screen.isLocked else { throw DeviceOrderProblem("The device is locked; unlock it first.") }
            guard device.tapActivity(id) else { throw Self.notThere(id, device) }
        case .dismiss(let id):
            let id = try target(id, of: device)
            guard device.dismissActivity(id) else { throw Self.notThere(id, device) }
        case .allow(let isOn):
            try checkSettings(of: bundleID, device)
            device.setLiveActivities(of: bundleID, allowed: isOn)
        case .allowFrequent(let isOn):
            try checkSettings(of: bundleID, device)
            device.setFrequentActivityUpdates(of: bundleID, allowed: isOn)
        }
    }

    private func target(_ id: String?, of device: PushDevice.Device) throws -> String {
        guard let id = id ?? device.screen.activities.first?.id else {
            throw DeviceOrderProblem("No Live Activity is on the screen.")
        }
        return id
    }

    private static func notThere(_ id: String, _ device: PushDevice.Device) -> DeviceOrderProblem {
        let shown = device.screen.activities.map { "\($0.id) of \($0.appName)" }.joined(separator: ", ")
        let found = shown.isEmpty ? "no Live Activity is on the screen" : "on the screen are \(shown)"
        return DeviceOrderProblem("There is no Live Activity \(id); \(found).")
    }

    private func checkSettings(of bundleID: String, _ device: PushDevice.Device) throws {
        guard device.phoneState.apps.first(where: { $0.id == bundleID })?.liveActivities == nil else { return }
        throw DeviceOrderProblem(
            "'\(bundleID)' has no Live Activities: its Info.plist needs NSSupportsLiveActivities, and the device iOS 16.1 or later."
        )
    }
}

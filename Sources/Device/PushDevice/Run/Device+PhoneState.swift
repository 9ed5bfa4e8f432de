import DeviceLink
import Foundation
import PushClock
import PushModel
import SystemPort

extension Device {
    /// The state of the whole phone at this moment.
    public var phoneState: PhoneState {
        let date = clock.date
        return read { $0.phoneState(at: date) }
    }

    /// Returns the phone's state and the number of its changes so far; nil if there was no change since that number.
    func phoneState(since changes: Int) -> (state: PhoneState, changes: Int)? {
        let date = clock.date
        return read { $0.changes == changes ? nil : ($0.phoneState(at: date), $0.changes) }
    }
}

extension DeviceState {
    func phoneState(at date: Date) -> PhoneState {
        let screen = screen
        return PhoneState(
            name: name,
            system: profile.version,
            date: date,
            timeZone: timeZone.identifier,
            language: settings.language,
            storefront: settings.storefront,
            isLocked: springboard.isLocked,
            isConnected: courier.isConnected,
            isLowPower: settings.isLowPower,
            focus: settings.focus?.name,
            location: surroundings.location?.place,
            front: screen.front,
            prompt: screen.prompt?.text,
            promptSubject: screen.prompt?.subject,
            banner: screen.banner.map { .init($0) },
            expanded: screen.expanded.map { .init($0) },
            inApp: screen.inApp.map { .init(id: $0.id, app: $0.bundleID, title: $0.title, body: $0.body) },
            alert: screen.alert.map { .init($0) },
            list: screen.list.map { .init($0) },
            activities: screen.activities.isEmpty
                ? nil : screen.activities.map { .init($0, isInIsland: $0.id == screen.island?.id) },
            calls: screen.calls.map { call in
                var call = call
                call.handle = nil
                return call
            },
            groups: screen.groups.map { .init($0) },
            upcoming: screen.upcoming.map { .init($0) },
            summaryTimes: settings.summaryTimes.map { "\($0.hour):" + ($0.minute < 10 ? "0" : "") + "\($0.minute)" },
            nextSummary: planned[.summary],
            badges: screen.badges,
            apps: apps.values.sorted { $0.app.bundleID < $1.app.bundleID }.map(app)
        )
    }

    private func app(_ record: AppRecord) -> PhoneState.App {
        let requests = pending.of(record.app.bundleID)
        let settings = record.settings
        return PhoneState.App(
            id: record.app.bundleID,
            name: record.app.name,
            condition: record.condition.rawValue,
            permission: "\(settings.authorization)",
            sounds: record.allows(SettingsRecord.sound),
            badges: record.allows(SettingsRecord.badge),
            banners: settings.showsBanners,
            previews: settings.previews.rawValue,
            grouping: settings.grouping.rawValue,
            summarized: settings.scheduledDelivery,
            liveActivities: profile.hasLiveActivities && record.app.supportsLiveActivities
                ? record.activities.isAllowed : nil,
            pending: requests.count,
            nextFiring: requests.compactMap(\.due).min()
        )
    }
}

extension PhoneState.Alert {
    fileprivate init(_ shown: ShownAlert) {
        self.init(
            app: shown.bundleID,
            style: shown.record.style,
            title: shown.title,
            message: shown.message,
            fields: shown.record.fields.map(\.shown),
            buttons: shown.record.buttons
        )
    }
}

extension PhoneState.Notification {
    fileprivate init(_ shown: ShownNotification) {
        self.init(
            id: shown.id,
            app: shown.bundleID,
            appName: shown.appName,
            title: shown.title,
            subtitle: shown.subtitle,
            body: shown.body,
            picture: shown.picture.flatMap(Self.address(of:)),
            thumbnail: shown.thumbnail?.path,
            attachments: shown.attachments.map { .init(id: $0.identifier, path: $0.path, type: $0.type) }
        )
    }

    /// Returns a picture as a `data` URL; nil if it is too large, or none that the pages show.
    private static func address(of picture: Data) -> String? {
        guard picture.count <= 256 << 10 else { return nil }
        let head = picture.prefix(16)
        let type = AttachmentType.identifier(hint: "public.image", pathExtension: "", head: Data(head))
        let media = ["public.png": "image/png", "public.jpeg": "image/jpeg", "com.compuserve.gif": "image/gif"]
        return type.flatMap { media[$0] }.map { "data:\($0);base64,\(picture.base64EncodedString())" }
    }
}

extension PhoneState.Activity {
    fileprivate init(_ shown: ShownActivity, isInIsland: Bool) {
        self.init(
            id: shown.id,
            app: shown.bundleID,
            appName: shown.appName,
            type: shown.record.type,
            state: shown.record.state.rawValue,
            attributes: shown.record.attributes,
            content: shown.record.content.state,
            staleDate: shown.record.content.staleDate,
            relevanceScore: shown.record.content.relevanceScore,
            isInIsland: isInIsland
        )
    }
}

extension PhoneState.Group {
    fileprivate init(_ group: NotificationGroup) {
        self.init(
            app: group.bundleID,
            thread: group.threadIdentifier,
            ids: group.notifications.map(\.id),
            summary: group.summary,
            count: group.count
        )
    }
}

extension PhoneState.Expanded {
    fileprivate init(_ view: ExpandedView) {
        self.init(
            id: view.id,
            title: view.title,
            notification: view.defaultContent.map { .init($0) },
            content: view.content.map {
                .init(title: $0.title, height: $0.height, hasMediaButton: $0.mediaButton != nil)
            },
            actions: view.actions.map { action in
                .init(
                    id: action.identifier,
                    title: action.title,
                    isDestructive: action.options & ActionRecord.destructive != 0,
                    asksForText: action.textInput != nil,
                    placeholder: action.textInput?.placeholder
                )
            },
            isPlaying: view.isPlaying
        )
    }
}

import Foundation
import PushModel
import SystemPort
import SystemPortSocket

/// A value of every kind that crosses the port, none of them plain.
enum Samples {
    static let date = Date(timeIntervalSince1970: 1_767_254_400.125)
    static let region = GeoRegion(
        identifier: "home",
        shape: .circle(center: Coordinate(latitude: 52.52, longitude: 13.4), radius: 100),
        notifyOnEntry: true,
        notifyOnExit: false
    )
    static let error = SystemError(domain: "UNErrorDomain", code: 1600, text: "“no”\n")

    static let content: ContentRecord = {
        var content = ContentRecord()
        content.title = "日本"
        content.badge = 3
        content.sound = SoundRecord(name: "bell.caf")
        content.sound?.volume = 0.1
        content.userInfo = ["aps": ["alert": "a/b"], "n": 1.5, "big": 9_007_199_254_740_993, "none": .null]
        content.ownInfo = .dictionary([.string("k"): .array([.null, .data(Data([0, 255])), .date(date)])])
        content.attachments = [AttachmentRecord(identifier: "a", path: "/tmp/ä b", type: "public.png")]
        content.localized = ["t": LocalizedString(key: "k", arguments: ["1"])]
        var legacy = LegacyNotificationRecord()
        legacy.fireDate = date
        legacy.timeZone = TimeZone(identifier: "Europe/Berlin")
        legacy.region = region
        content.legacy = legacy
        return content
    }()

    static let triggers: [TriggerRecord?] = [
        nil, .push, .timeInterval(0.1, repeats: false), .location(region, repeats: true),
        .calendar(DateComponents(timeZone: TimeZone(identifier: "Asia/Tokyo"), hour: 8, weekday: 2), repeats: true),
        .fireDate(FireDate(date, repeatInterval: 16)),
    ]
    static let requests = triggers.map { RequestRecord(identifier: "r", content: content, trigger: $0) }
    static let notification = NotificationRecord(identifier: "n", date: date, content: content)
    static let category: CategoryRecord = {
        var action = ActionRecord(identifier: "answer", title: "Answer", options: 4)
        action.icon = .system("pen")
        action.textInput = TextInputRecord(buttonTitle: "", placeholder: "…")
        return CategoryRecord(identifier: "c", actions: [action], intentIdentifiers: ["i"], options: .max)
    }()
    static let response = ResponseRecord(notification: notification, actionIdentifier: "answer", userText: "\u{0}\"")

    static let alert = AlertRecord(
        id: "1",
        style: .actionSheet,
        title: "“t”",
        message: "",
        fields: [AlertRecord.Field(placeholder: "p", text: "\u{0}", isSecure: true)],
        buttons: [AlertRecord.Button(title: "b", role: .destructive, isEnabled: false)]
    )
    static let activity = ActivityRecord(
        type: ActivityRecord.browsingWeb,
        title: "“t”",
        webpageURL: "https://example.com/ä",
        userInfo: content.ownInfo
    )
    static let shortcut: ShortcutRecord = {
        var shortcut = ShortcutRecord(type: "new", title: "New")
        shortcut.subtitle = ""
        shortcut.icon = .system(3)
        shortcut.userInfo = content.ownInfo
        shortcut.targetContentIdentifier = "c"
        return shortcut
    }()

    static let calls: [SystemCall] =
        [
            .requestAuthorization(options: .max), .facts, .notificationSettings,
            .registerUserNotificationSettings(types: 7, categories: [category]), .setCategories([category]),
            .categories,
            .registerForRemoteNotifications, .unregisterForRemoteNotifications, .deliveredNotifications,
            .removeDelivered(identifiers: ["a", ""]), .removeAllDelivered, .pendingRequests,
            .removePending(identifiers: []), .removeAllPending, .setBadge(-1), .removeBadge, .readStorage(key: "k"),
            .storageKeys(prefix: "k"),
            .writeStorage(key: "k", value: "v"), .writeStorage(key: "k", value: nil), .open(url: "app://x?y#z"),
            .open(url: "https://x", linksOnly: true), .canOpen(url: "x:"), .setFetchInterval(seconds: nil),
            .setFetchInterval(seconds: 0.1), .setShortcuts([shortcut, ShortcutRecord(type: "", title: "")]), .shortcuts,
            .showInApp(InAppRecord(id: "1", title: "t", body: "b")), .awaitInAppEnd(id: "1"), .hideInApp(id: "1"),
            .showAlert(alert), .hideAlert(id: "1"),
            .contentExtension(.setActions(category.actions)), .contentExtension(.performDefaultAction),
            .contentExtension(.dismiss), .contentExtension(.media(isPlaying: true)), .keepRunning(true),
            .warn("never called"), .pushKit(.desire([.voIP, .complication])), .pushKit(.token(.fileProvider)),
            .pushKit(.deliver(content.userInfo)), .callKit(.provide(1, CallProviderRecord(ringtone: "r"))),
            .callKit(.invalidate(1)), .callKit(.reportIncoming(callID, CallUpdateRecord(), provider: 1)),
            .callKit(.ended(callID, reason: 2, provider: 1)), .callKit(.request(transaction, manager: nil)),
            .callKit(.request(transaction, manager: 2)),
            .callKit(.completed(callID, isFulfilled: false)), .callKit(.list), .callKit(.useAudio(true)),
        ] + requests.map { .add($0) }
        + [
            LocationCall.hello, .requestAuthorization(always: true), .startMonitoring(region),
            .stopMonitoring(identifier: "home"), .requestState(region), .startUpdating(inBackground: true),
            .updateInBackground(false), .stopUpdating, .requestLocation,
        ].map { .location($0) }

    static let callID = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

    static let transaction = CallTransactionRecord(
        id: callID,
        actions: [
            .start([CallHandleRecord(type: 2, value: "1", name: "Ann")], contact: nil, isVideo: true), .answer, .end,
            .hold(true),
            .mute(false), .group(with: nil), .playDTMF(digits: "#", type: 1),
            .translate(true, local: "zh", remote: "en"),
        ].map { CallActionRecord(id: callID, call: callID, kind: $0, timeout: date) }
    )

    static let place = LocationRecord(
        place: Coordinate(latitude: -0.1, longitude: 180),
        date: date,
        horizontalAccuracy: -1
    )

    static let events: [SystemEvent.Kind] =
        [
            .launch(remoteNotification: nil), .launch(remoteNotification: content.userInfo),
            .launch(
                remoteNotification: nil,
                localNotification: notification,
                isForLocation: true,
                opening: .url(OpenedURL("app://x", sourceApplication: "com.example.other"))
            ),
            .sceneWillConnect(nil), .sceneWillConnect(response, opening: .url(OpenedURL("app://x"))),
            .sceneWillConnect(nil, opening: .activity(activity)), .sceneWillConnect(nil, opening: .shortcut(shortcut)),
            .sceneWillEnterForeground, .willEnterForeground, .didBecomeActive, .open(.url(OpenedURL("app://x"))),
            .open(.activity(activity)), .open(.shortcut(shortcut)), .activityFailed(type: "t", error), .performFetch,
            .backgroundSession(identifier: "s"), .memoryWarning, .significantTimeChange, .willResignActive,
            .protectedData(isAvailable: false),
            .didEnterBackground, .willTerminate,
            .didRegisterForRemoteNotifications(DeviceToken(bytes: 0..<32)),
            .didRegisterForRemoteNotifications(DeviceToken(bytes: [1, 2])),
            .didFailToRegisterForRemoteNotifications(error), .didRegisterUserNotificationSettings(types: 7),
            .remoteNotification(content.userInfo), .willPresent(notification, alsoFetched: true),
            .didReceive(response), .openSettings(nil), .openSettings(notification),
            .alertEdited(id: "1", field: 1, text: "ä"), .alertAnswered(id: "1", button: 2),
            .serviceExtensionTimeWillExpire, .pushKit(.updated(.voIP, DeviceToken(bytes: [1, 2]))),
            .pushKit(.invalidated(.complication)), .pushKit(.push(.voIP, content.userInfo, mustReport: true)),
            .callKit(.began(provider: 1)), .callKit(.perform(transaction, provider: 2)),
            .callKit(.timedOut(transaction.actions[0], provider: 1)), .callKit(.audio(isActive: true, provider: 1)),
            .callKit(.changed(CallRecord(id: callID))), .callKit(.interrupted(true)),
            .contentExtension(notification, actions: category.actions, sizeRatio: 0.5),
            .contentExtensionResponse(response), .contentExtensionMedia(plays: false),
        ] + requests.map { .serviceExtension($0) }
        + [
            LocationEvent.authorization, .startedMonitoring(region), .monitoringFailed(region, error),
            .crossed(region, .exit), .state(region, .unknown), .updated(place), .failed(error),
        ].map { .location($0) }

    static let eventReplies: [EventReply] = [
        .ran("application(_:didFinishLaunchingWithOptions:)"), .returned, .notImplemented,
        .presentation(options: .max), .fetched(.newData), .responded, .content(content), .extensionOption(2),
        .contentView(
            ContentViewRecord(
                title: "t",
                height: .infinity,
                mediaButton: MediaButtonRecord(isOverlay: true, frame: [0, 0.1, 2, 3], tint: [1, 0, 0, 0.5])
            )
        ),
    ]

    static let replies: [SystemReply] = [
        .done, .shortcuts([shortcut]), .authorization(granted: true), .settings(settings), .categories([category]),
        .notifications([notification]), .requests(requests), .value(nil), .value(""), .opened(false),
        .pushToken(nil), .pushToken(DeviceToken(bytes: [1, 2])), .calls([CallRecord(id: callID)]),
        .inAppEnded(byTap: true), .failed(error), .facts(facts), .terminated,
    ]

    static let settings: SettingsRecord = {
        var settings = SettingsRecord()
        settings.status = 3
        settings.timeSensitive = true
        settings.grouping = .byApp
        return settings
    }()

    static let facts: AppFacts = {
        var facts = AppFacts(
            bundleID: "com.example.app",
            environment: .production,
            info: ["UIBackgroundModes": ["remote-notification"], "n": 1],
            deviceName: "iPhone “1”",
            systemVersion: "17.4",
            vendorID: "V"
        )
        facts.strings = ["a": "b"]
        facts.batteryLevel = 0.1
        facts.location.authorization = .whenInUse
        facts.location.last = place
        facts.location.monitored = [region]
        facts.location.isReduced = true
        facts.location.monitors = ["m": [condition]]
        return facts
    }()
}

extension Samples {
    static let constraint = BeaconConstraint(uuid: "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0", major: 0, minor: .max)
    static let condition = ConditionRecord(region: region, state: .inside, date: date, isRefused: true)

    static let placeCalls: [SystemCall] = [
        LocationCall.start(.significantChanges), .start(.visits), .stop(.heading),
        .requestFullAccuracy(number: 3, purposeKey: "“Delivery”"), .startRanging(constraint),
        .stopRanging(BeaconConstraint(uuid: "")), .addCondition(region, state: .outside, monitor: "m"),
        .removeCondition(identifier: "home", monitor: ""), .startActivity, .endActivity,
    ].map { .location($0) }

    static let placeEvents: [SystemEvent.Kind] = [
        LocationEvent.changedSignificantly(place),
        .updated(LocationRecord(place: place.place, date: date, horizontalAccuracy: 5, floor: -2)),
        .visited(VisitRecord(place: place.place, horizontalAccuracy: 5, arrival: nil, departure: date)),
        .visited(VisitRecord(place: place.place, horizontalAccuracy: 5, arrival: date, departure: nil)),
        .turned(HeadingRecord(degrees: 359.9, isTrueKnown: false, date: date)),
        .ranged(constraint, [NearbyBeacon(uuid: UUID(), major: 0, minor: .max, distance: 0.1)], date: date),
        .ranged(constraint, [], date: date), .rangingFailed(constraint, error), .fullAccuracy(number: 3, nil),
        .fullAccuracy(number: 3, error), .condition(condition, monitor: "m"),
    ].map { .location($0) }
}

extension Samples {
    private static let liveContent = LiveActivityContent(state: #"{"a":"“b”"}"#, staleDate: date, relevanceScore: 0.1)
    private static let live: LiveActivityRecord = {
        var record = LiveActivityRecord(id: "1", type: "T", attributes: "{}", content: liveContent)
        record.state = .stale
        record.style = .transient
        record.pushToken = DeviceToken(bytes: 0..<32)
        record.channel = "dHN0LXNyY2gtY2hubA=="
        record.version = 7
        return record
    }()
    private static let liveAlert = LiveActivityAlert(title: "“t”", body: "", sound: SoundRecord(name: "bell.caf"))

    static let activityCalls: [SystemCall] = [
        LiveActivityCall.declare(type: "T"), .requestStartToken(type: "T"), .list(type: ""),
        .request(LiveActivityRequest(activity: live, wantsToken: true, startDate: date, alert: liveAlert)),
        .update(id: "1", liveContent, alert: nil, timestamp: date), .end(id: "1", nil, .automatic, timestamp: nil),
        .end(id: "1", liveContent, .after(date), timestamp: date), .end(id: "1", nil, .immediate, timestamp: nil),
    ].map { .liveActivity($0) }

    static let activityEvents: [SystemEvent.Kind] = [
        LiveActivityEvent.changed(live), .startToken(type: "T"), .settings,
        .examine(LiveActivityValues(type: "T", attributes: nil, state: "{}")),
    ].map { .liveActivity($0) }

    static let activityReplies: [SystemReply] = [
        .liveActivities([live]), .liveActivities([]), .liveActivityRefused(.targetMaximumExceeded),
    ]
    static let activityEventReplies: [EventReply] = [
        .activityExamined(problem: nil), .activityExamined(problem: "'a' is missing"),
    ]
}

import Foundation

// The text of verdicts: what happened, why, and what to do.

extension Verdict {
    static func quietSentence(_ until: Date, isHeld: Bool) -> String {
        let end = until.formatted(.iso8601)
        if isHeld { return "waits: the device has quiet hours until \(end); it is sent then" }
        return """
            not sent: the device has quiet hours until \(end), and the push's time to live ends before that; give it a longer \
            time_to_live, or set options.x_quiet_hours to false for a push that must come at once
            """
    }
}

extension SuppressionReason {
    func sentence(_ context: Verdict.Context) -> String {
        switch self {
        case .environment: Self.environmentSentence(context)
        case .noToken:
            """
            not sent: the app has registered with the service but has no APNs device token; it must call \
            registerForRemoteNotifications() and pass the token on (for a VoIP push that of PKPushRegistry with \
            registerVoipToken, for a Live Activity that of ActivityKit with registerLiveActivity)
            """
        case .tokenRefused:
            """
            not sent: APNs has refused the device's token for good before, as the journey of that push says; pushes go to \
            it again once the app registers its token anew, or the device is imported again
            """
        case .pushOff:
            "not sent: the app has switched push off on this device; it must switch it on again (setPushEnable)"
        case .unreadable: "not sent: the stored push cannot be read; the service's log has the error"
        case .permissionNotDetermined:
            "delivered, not shown: the app never asked for permission to show notifications"
        case .permissionDenied: "delivered, not shown: the user has switched the app's notifications off"
        case .foreground:
            """
            delivered, not shown: the app was in front, and its delegate's \
            userNotificationCenter(_:willPresent:) asked for nothing to be shown or is not implemented
            """
        case .foregroundLegacy:
            """
            delivered, not shown: the app was in front, where iOS shows no notification before version 10; the app receives it in \
            application(_:didReceiveRemoteNotification:fetchCompletionHandler:), a local one in application(_:didReceive:), and \
            can show an alert of its own
            """
        case .noText: "delivered, not shown: title, subtitle and body are empty"
        case .noBackgroundMode:
            """
            delivered, but the app was not woken: 'remote-notification' is missing among its background modes \
            (UIBackgroundModes)
            """
        case .forceQuit:
            "delivered, but the app was not woken: the user swiped it away, and the system leaves it alone until it is opened"
        case .notInstalled: "delivered, not shown: the app is no longer on the device"
        case .badPayload: "delivered, not shown: the payload is not a JSON object"
        case .focus: "no banner and no sound: a Focus that does not allow the app is on"
        case .focusFilter:
            """
            no banner and no sound: the app's filter for the Focus that is on does not let the notification's filter \
            criteria through
            """
        case .passive: "no banner and no sound: its interruption level is passive"
        case .provisional:
            """
            no banner and no sound: the app has provisional permission only; it must ask again without .provisional, or the \
            person chooses Keep
            """
        case .scheduledSummary:
            """
            delivered, not shown yet: the user has the app's notifications in the scheduled summary, and only \
            time-sensitive and critical ones come at once
            """
        case .bannersOff: "no banner: the user has switched the app's banners off"
        case .soundMissing:
            """
            the system's own sound played: neither the app's bundle nor its Library/Sounds has a file of the sound's name \
            (with its extension)
            """
        case .soundTooLong: "the system's own sound played: a sound of the app's own must be shorter than 30 seconds"
        case .soundFormat: "the system's own sound played: a sound of the app's own must be an aiff, wav or caf file"
        case .attachments:
            """
            without its attachments: a file that the service extension attached is missing, is not of its type, or its \
            thumbnail's time lies beyond the film
            """
        case .carPlay:
            """
            not shown in the car: the app must ask for .carPlay, and the notification's category needs allowInCarPlay
            """
        case .budget:
            """
            delivered, but the app was not woken: it has used up its background wakes of this hour; the newest push waits \
            for the next hour
            """
        case .lowPower: "delivered, but the app was not woken: Low Power Mode is on"
        case .backgroundRefreshOff:
            "delivered, but the app was not woken: the user has switched Background App Refresh off"
        case .silentAlertType:
            """
            delivered, but the app was not woken: its apns-push-type is alert and it has no alert, sound or badge; send it \
            with apns-push-type background and apns-priority 5
            """
        case .alertBackgroundType:
            """
            delivered, not shown: its apns-push-type is background, and such pushes show nothing; send it with \
            apns-push-type alert
            """
        case .backgroundPriority:
            """
            delivered, but the app was not woken: a push of type background, or a silent one without apns-push-type, needs \
            apns-priority 5 (or 1), not 10, which is the default
            """
        case .noWatch, .noFileProvider, .noLocationPushExtension, .noPushToTalk, .noWidgets, .noControls, .noAccessory,
            .noNowPlaying, .notEnrolled:
            "delivered, but nothing took it: \(otherPartSentence)"
        case .noSubscribedActivity:
            """
            delivered, but nothing took it: no Live Activity is subscribed to the channel; start one with \
            Activity.request(…, pushType: .channel(id))
            """
        case .activityBudget:
            """
            delivered, the Live Activity is unchanged: the app has used up its pushes of priority 10 for this hour; send \
            updates that can wait with apns-priority 5, which does not count, or support frequent updates \
            (NSSupportsLiveActivitiesFrequentUpdates)
            """
        case .activityTimestamp:
            """
            delivered, the Live Activity is unchanged: the push's timestamp is older than that of the state that is shown
            """
        case .activityOver: "delivered, not shown: the Live Activity has ended, or was dismissed"
        case .activityLimit:
            "delivered, not started: as many Live Activities are under way as the app, or the device, may have"
        case .activityTooLarge:
            "delivered, not shown: the attributes and the content state have more than 4 KB together"
        case .activitiesOff: "delivered, not shown: the user has switched the app's Live Activities off"
        case .activitiesUnsupported:
            """
            delivered, not shown: Live Activities need iOS 16.1, starting one by push iOS 17.2, a channel iOS 18, and \
            NSSupportsLiveActivities in the app's Info.plist
            """
        case .unsupportedType:
            """
            delivered, but nothing on the emulated device takes it: pushes of this apns-push-type go to a part of the system that \
            it does not have (before iOS 8 it has no PushKit), never to the app's \
            notification callbacks
            """
        case .noVoIPMode:
            "delivered, but the app was not woken: 'voip' is missing among its background modes (UIBackgroundModes)"
        case .noPushRegistry:
            """
            delivered, but the app did not take it: it has no PKPushRegistry with a delegate and .voIP in desiredPushTypes; \
            create one each time the app launches
            """
        case .callsNotReported:
            """
            delivered, but the app was not launched: it failed to report an incoming call too many times \
            (CXProvider.reportNewIncomingCall); it is launched again after it is installed again
            """
        case .noCall: "delivered to the app, which reported no call; since iOS 13 the system ends an app for that"
        case .callFiltered:
            "delivered; the call did not ring: a Focus that does not allow the app is on (filteredByDoNotDisturb)"
        case .callExists:
            """
            delivered; no new call rang: the app reported a UUID that a call on the device already has \
            (callUUIDAlreadyExists)
            """
        case .locationDenied: "not delivered: the app may not use the device's location"
        case .reducedAccuracy: "not delivered: the app may use an approximate location only, which crosses no region"
        case .invalidRegion: "never fires: the centre of its region is no place on earth"
        }
    }

    /// The part of the system that takes pushes of a type, and what to do.
    ///
    /// Source: Apple, "Sending notification requests to APNs", of each value of apns-push-type, and the page of each framework.
    private var otherPartSentence: String {
        switch self {
        case .noWatch:
            """
            a push of type complication goes to the app on a paired Apple Watch, and none is paired; to reach the app on the \
            iPhone, send type background
            """
        case .noFileProvider:
            """
            a push of type fileprovider goes to the app's File Provider extension, which the emulated device does not run; \
            test the extension on an iPhone
            """
        case .noLocationPushExtension:
            """
            a push of type location goes to the app's location push service extension (CLLocationPushServiceExtension), \
            which the emulated device does not run; test it on an iPhone
            """
        case .noPushToTalk:
            """
            a push of type pushtotalk goes to the app's PTChannelManager while it has joined a channel, and the emulated \
            device has none; test it on an iPhone
            """
        case .noWidgets:
            """
            a push of type widgets lets WidgetKit reload the app's widgets, and the emulated device shows none; the app \
            itself does not hear of it
            """
        case .noControls:
            """
            a push of type controls lets WidgetKit reload the app's controls, and the emulated device shows none; the app \
            itself does not hear of it
            """
        case .noAccessory:
            """
            a push of type accessory goes to the app's extensions that forward notifications to an accessory, which the \
            emulated device does not run; test them on an iPhone
            """
        case .noNowPlaying:
            """
            a push of type nowplaying goes to the app's remote media session extension, which the emulated device does not \
            run; test it on an iPhone
            """
        default:
            """
            a push of type mdm goes to a device that a management server has enrolled, and the emulated device is not; its \
            topic is that of the server's push certificate, never an app's
            """
        }
    }

    private static func environmentSentence(_ context: Verdict.Context) -> String {
        guard let device = context.deviceEnvironment, let push = context.pushEnvironment else {
            return """
                not sent: the app was registered in another APNs environment than the one the push asked for; build, \
                credential and push must agree
                """
        }
        return """
            not sent: the app was registered as a \(device.rawValue) build and the push asked for \(push.rawValue); build, \
            credential and push must agree (set options.apns_production to \(device == .production), or install a \
            \(push.rawValue) build)
            """
    }
}

extension PauseReason {
    var sentence: String {
        switch self {
        case .noCredential:
            "waits: the app has no APNs credential; add a p8 key and the push goes out"
        case .certificateExpired:
            "waits: the app's APNs certificate has expired; upload a new one and the push goes out"
        case .credentialRefused:
            """
            waits: APNs refuses the app's credential; check key id, team id, bundle id and that the key is not revoked, \
            then the push goes out
            """
        }
    }
}

extension FetchOutcome {
    func sentence(isInFront: Bool = false) -> String {
        let place = isInFront ? "the app was in front" : "the app ran in the background"
        return switch self {
        case .newData: "\(place) and fetched new data"
        case .noData: "\(place) and found nothing new"
        case .failed: "\(place) and its fetch failed"
        case .overran: "\(place) and did not call its completion handler within 30 seconds"
        }
    }
}

extension Presentation {
    /// Whether it is a change of a Live Activity, which nobody opens.
    var isOfActivity: Bool { self == .activityStarted || self == .activityUpdated || self == .activityEnded }

    var sentence: String {
        switch self {
        case .banner: "banner"
        case .lockScreen: "lock screen"
        case .list: "notification centre"
        case .sound: "sound only"
        case .badge: "badge only"
        case .carPlay: "in the car"
        case .inApp: "within the app"
        case .activityStarted: "it started a Live Activity"
        case .activityUpdated: "it changed a Live Activity"
        case .activityEnded: "it ended a Live Activity"
        case .call: "incoming call"
        }
    }
}

/// The reason why a push was not shown, was shown differently than requested, or the app was not notified.
public enum SuppressionReason: String, Hashable, Sendable, Codable, CaseIterable {
    /// The push is for a different APNs environment than the device's registration.
    case environment
    /// The device has no APNs token.
    case noToken
    /// APNs refused the device's token before and would refuse it again.
    case tokenRefused
    /// The app has disabled push on the device (`JPUSHService.setPushEnable(false)`).
    case pushOff
    /// The service cannot read the push that it has stored.
    case unreadable
    /// The device declines the topic of the push.
    case topicDeclined
    /// The device has received as many pushes of the topic as it may in the period.
    case topicCapped
    /// The push that this one would repeat was opened before (`options.x_unless_opened`).
    case openedBefore
    /// The push asks to remove a notification, and the app has been in contact since without an answer: its client knows no
    /// such pushes.
    case olderClient
    /// The push asks to remove a notification, and the app was asked over its link.
    case askedOverLink
    /// The user was never asked for permission.
    case permissionNotDetermined
    /// The user denied permission.
    case permissionDenied
    /// The app was in the foreground, and its delegate requested no presentation or does not implement `willPresent`.
    case foreground
    /// Before iOS 10: the app was in the foreground, where these systems show no notification.
    case foregroundLegacy
    /// Title, subtitle and body are all empty.
    case noText
    /// The app's background modes do not include `remote-notification`.
    case noBackgroundMode
    /// The user force-quit the app: the system does not wake it until it is opened again.
    case forceQuit
    /// The app is not installed.
    case notInstalled
    /// The payload is not a JSON object.
    case badPayload
    /// A Focus silenced it: it went to the notification centre without a banner.
    case focus
    /// The app's Focus filter does not allow its `filterCriteria`: it went to the notification centre without a banner.
    case focusFilter
    /// Its interruption level is passive: it went to the notification centre without a banner.
    case passive
    /// The app has only provisional permission: it went to the notification centre without a banner.
    case provisional
    /// The user added the app to the scheduled summary: it waits for the next one.
    case scheduledSummary
    /// The user disabled the app's banners.
    case bannersOff
    /// The app has no sound file with this name: the default sound played.
    case soundMissing
    /// The sound file is 30 seconds or longer: the default sound played.
    case soundTooLong
    /// The sound file is not aiff, wav or caf: the default sound played.
    case soundFormat
    /// A file attached by the service extension is invalid: the notification is shown without attachments.
    case attachments
    /// A car is connected, but the app or the notification's category does not allow CarPlay.
    case carPlay
    /// The app has used up this hour's background wakes; the newest push waits for the next hour.
    case budget
    /// Low Power Mode delays background wakes until it ends.
    case lowPower
    /// The user disabled Background App Refresh.
    case backgroundRefreshOff
    /// Since iOS 13: a push of type `alert` with nothing to show does not wake its app.
    case silentAlertType
    /// Since iOS 13: a push of type `background` shows nothing.
    case alertBackgroundType
    /// Since iOS 13: a push of type `background`, or a silent one without a type, wakes its app at priority 5 or 1 alone.
    case backgroundPriority
    /// A push of type `complication` is for the app's watchOS app, and no Apple Watch is paired.
    case noWatch
    /// A push of type `fileprovider` is for the app's File Provider extension, which the device does not run.
    case noFileProvider
    /// A push of type `location` is for the app's location push service extension, which the device does not run.
    case noLocationPushExtension
    /// A push of type `pushtotalk` is for the app's `PTChannelManager`, which the device does not have.
    case noPushToTalk
    /// A push of type `widgets` reloads the app's widgets, and none with a push handler is on the home screen.
    case noWidgets
    /// A push of type `controls` reloads the app's controls, which the device does not show.
    case noControls
    /// A push of type `accessory` is for the app's accessory extensions, which the device does not run.
    case noAccessory
    /// A push of type `nowplaying` is for the app's remote media session extension, which the device does not run.
    case noNowPlaying
    /// A push of type `mdm` is for a managed device, and this one is not enrolled.
    case notEnrolled
    /// No Live Activity of the app is subscribed to the broadcast channel.
    case noSubscribedActivity
    /// The app has used up this hour's Live Activity pushes of priority 10.
    case activityBudget
    /// The app has used up this hour's starts of Live Activities by push.
    case activityStartBudget
    /// The Live Activity has a newer state than the push: its `timestamp` is older.
    case activityTimestamp
    /// The Live Activity has ended.
    case activityOver
    /// The app already has as many Live Activities as it may have.
    case activityLimit
    /// The attributes and the content state exceed 4 KB together.
    case activityTooLarge
    /// The user disabled the app's Live Activities.
    case activitiesOff
    /// The iOS version has no Live Activities or does not start them by push, or the app does not declare them.
    case activitiesUnsupported
    /// The push is for a part of the system that the emulated device does not have, such as WidgetKit.
    case unsupportedType
    /// A VoIP push: the app's background modes do not include `voip`.
    case noVoIPMode
    /// A VoIP push: the app has no `PKPushRegistry` that desires it.
    case noPushRegistry
    /// A VoIP push: the app reported no call too often, and is not launched for VoIP pushes any more.
    case callsNotReported
    /// A VoIP push: the app did not report a call, which it need not before iOS 13.
    case noCall
    /// A VoIP push: the app reported no call, and need not, because it was in the foreground.
    case reportNotDueInFront
    /// A VoIP push: the app reported no call, and need not, because it had a call already.
    case reportNotDueOnCall
    /// A VoIP push: the app reported no call, and need not since iOS 26.4, because the network had delayed the push.
    case reportNotDueDelayed
    /// A Focus kept the call from ringing.
    case callFiltered
    /// The app reported a call that is already on the device.
    case callExists
    /// The app reported the call of a VoIP push to CallKit and to LiveCommunicationKit.
    case reportedTwice
    /// The app reported the call of a VoIP push after its method had returned, and had been ended by then.
    case reportedLate
    /// The app may not use the device's location.
    case locationDenied
    /// The app may use an approximate location only, with which no region is monitored.
    case reducedAccuracy
    /// The centre of the region is not a valid coordinate.
    case invalidRegion
    /// Xcode's Simulator: the priority, the expiration and the collapse id of the push have no effect there.
    case simulatorHeaders
    /// Xcode's Simulator takes payloads of at most 4096 bytes.
    case simulatorSize
    /// Xcode's Simulator takes no pushes of this type.
    case simulatorType
    /// `xcrun simctl push` failed.
    case simulatorFailed
}

extension SuppressionReason {
    /// The consequence of a reason for its push.
    package enum Effect {
        /// The service sends nothing.
        case notSent
        /// The device, or the gateway, keeps back the notification, its banner or the call of the app.
        case keptBack
        /// The notification is visible, with less than was asked for.
        case reduced
    }

    /// The consequence for the push.
    package var effect: Effect {
        switch self {
        case .environment, .noToken, .tokenRefused, .pushOff, .unreadable, .topicDeclined, .topicCapped,
            .openedBefore, .olderClient, .askedOverLink:
            .notSent
        case .soundMissing, .soundTooLong, .soundFormat, .attachments, .carPlay, .reportedTwice, .simulatorHeaders:
            .reduced
        default:
            .keptBack
        }
    }
}

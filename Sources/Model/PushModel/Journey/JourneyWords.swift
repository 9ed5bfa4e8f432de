/// What an app is doing while something happens to it, as `UIApplication.State` has it.
public enum AppState: String, Hashable, Sendable, Codable {
    case active
    case inactive
    case background
}

/// What an app says at the end of a background fetch; `overran` when it never said anything.
public enum FetchOutcome: String, Hashable, Sendable, Codable {
    case newData
    case noData
    case failed
    case overran
}

/// How a notification service extension ended.
public enum ExtensionOutcome: String, Hashable, Sendable, Codable {
    case ran
    case timedOut
    case crashed
}

/// How a notification reached a person.
public enum Presentation: String, Hashable, Sendable, Codable {
    case banner
    case lockScreen
    case list
    case sound
    case badge
    case carPlay
    /// By the app itself, in the place of a notification that the person does not let through.
    case inApp
}

/// What has to be mended before a message goes on.
public enum PauseReason: String, Hashable, Sendable, Codable {
    /// The app has no APNs credential for the environment.
    case noCredential
    /// APNs refuses the credential.
    case credentialRefused
    /// The app's certificate for the environment has expired.
    case certificateExpired
}

/// Why a push was not shown, or not as it asked, or an app was not told of it.
public enum SuppressionReason: String, Hashable, Sendable, Codable, CaseIterable {
    /// The push asked for the other APNs environment than the one in which the device registered.
    case environment
    /// The device has no APNs token.
    case noToken
    /// APNs has refused the device's token before, and would again.
    case tokenRefused
    /// The app has switched push off on the device (`JPUSHService.setPushEnable(false)`).
    case pushOff
    /// The person was never asked for permission.
    case permissionNotDetermined
    /// The person said no.
    case permissionDenied
    /// The app was in front and its delegate asked for nothing to be shown, or does not implement `willPresent`.
    case foreground
    /// Title, subtitle and body are all empty.
    case noText
    /// The app does not declare `remote-notification` among its background modes.
    case noBackgroundMode
    /// The person swiped the app away: the system does not wake it until it is opened again.
    case forceQuit
    /// The app is not installed.
    case notInstalled
    /// The payload is not a JSON object.
    case badPayload
    /// It arrived a second time and was dropped.
    case duplicate
    /// A Focus holds it back: it went to the notification centre without a banner.
    case focus
    /// The app's filter for the Focus does not let its `filterCriteria` through: it went to the notification centre without
    /// a banner.
    case focusFilter
    /// Its interruption level is passive: it went to the notification centre without a banner.
    case passive
    /// The app may notify provisionally only: it went to the notification centre without a banner.
    case provisional
    /// The person put the app into the scheduled summary: it waits for the next.
    case scheduledSummary
    /// The person wants no banners of the app.
    case bannersOff
    /// The app has no sound file of the name: the system's own sound played.
    case soundMissing
    /// The sound file is 30 seconds long or longer: the system's own sound played.
    case soundTooLong
    /// The sound file is no aiff, wav or caf: the system's own sound played.
    case soundFormat
    /// A file that its service extension attached does not fit: it goes on without files.
    case attachments
    /// A car is connected, and the app or the notification's category does not allow CarPlay.
    case carPlay
    /// The app has used up its background wakes of this hour; the newest push waits for the next.
    case budget
    /// Low Power Mode holds background wakes back until it ends.
    case lowPower
    /// The person has switched Background App Refresh off.
    case backgroundRefreshOff
    /// The app may not use the device's location.
    case locationDenied
    /// The centre of the region is no place on earth.
    case invalidRegion
}

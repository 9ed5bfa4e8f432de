/// The result that an app reports for a background fetch; `overran` if it never reported one.
public enum FetchOutcome: String, Hashable, Sendable, Codable {
    /// The app has loaded new data.
    case newData
    /// There was nothing new.
    case noData
    /// The app could not load its data.
    case failed
    /// The app did not call the handler within its 30 seconds.
    case overran
}

/// The outcome of a notification service extension.
public enum ExtensionOutcome: String, Hashable, Sendable, Codable {
    /// It called its handler in time.
    case ran
    /// Its time ended first, and the notification was shown with what it had by then.
    case timedOut
    /// Its process ended first, and the notification was shown as it came.
    case crashed
}

/// The way in which a notification reached the user.
public enum Presentation: String, Hashable, Sendable, Codable {
    /// As a banner on top of the screen.
    case banner
    /// On the lock screen.
    case lockScreen
    /// In the notification centre.
    case list
    /// By its sound.
    case sound
    /// By the number on the app's icon.
    case badge
    /// In the car.
    case carPlay
    /// Shown by the app itself, instead of a notification that the user has disabled.
    case inApp
    /// It started a Live Activity.
    case activityStarted
    /// It changed a Live Activity.
    case activityUpdated
    /// It ended a Live Activity.
    case activityEnded
    /// The device rang: the app reported a call.
    case call
    /// It reloaded the app's widgets.
    case widgets
}

/// The problem to fix before a message is sent.
public enum PauseReason: String, Hashable, Sendable, Codable, CaseIterable {
    /// The app has no APNs credential for the environment.
    case noCredential
    /// APNs refuses the credential.
    case credentialRefused
    /// None of the app's credentials is made for the topic of the push in the environment.
    case credentialScope
    /// The app's certificate for the environment has expired.
    case certificateExpired
}

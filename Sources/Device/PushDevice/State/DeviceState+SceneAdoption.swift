import PushModel

// Apps that iOS 27 refuses to launch: those built with its SDK that have no scenes.
//
// Sources: Apple, "Transitioning to the UIKit scene-based life cycle" (read on 2026-11-29): "Beginning in iOS 27 […] apps built with
// the latest SDK must adopt the scene-based life cycle or they fail to launch." TN3187 and "iOS & iPadOS 27 Release Notes" say the
// same, and none of them makes an exception for a launch in the background. So a silent push, a VoIP push, a background fetch, a
// button that leaves the app where it is or a place does not start such an app either, and a tap, a quick action or a URL ends on the
// home screen. Crash reports show the failure where UIKit creates the app's first scene
// (`_UIApplicationEvaluateRuntimeIssueForNoSceneLifecycleAdoption`), before any code of the app's delegate; whether a phone lets code
// of such an app run in the background, where it creates no scene, is not documented.

extension DeviceState {
    /// The text of a phone, from the crash reports and logs of several apps (metrodroid/metrodroid#904, LoopKit/Loop#2492), and what the
    /// app lacks.
    static let scenesRequired = """
        Application failed to launch: UIScene life cycle is required for apps built with this SDK. See "Transitioning to the UIKit \
        scene-based life cycle" in the UIKit documentation for more information on migration. The app was built with the SDK of iOS 27 or \
        later, and its Info.plist has no UIApplicationSceneManifest with a configuration
        """

    /// Returns the reason why the system does not launch an installed app; nil if it does.
    func launchRefusal(_ record: AppRecord) -> String? {
        guard profile.requiresScenes, record.app.sdk >= InstalledApp.sdkWithScenes, !record.app.adoptsScenes else {
            return nil
        }
        return Self.scenesRequired
    }

    /// Ends a launch that the system refuses.
    ///
    /// - Returns: whether it is refused.
    mutating func refusesLaunch(of record: AppRecord, for subject: JourneySubject?) -> Bool {
        guard let reason = launchRefusal(record) else { return false }
        report(.crashed(reason), of: subject)
        emit(.processEnded(reason: reason), app: record.app.bundleID)
        return true
    }
}

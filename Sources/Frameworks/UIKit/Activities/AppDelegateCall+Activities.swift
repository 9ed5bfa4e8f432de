import SystemPort
import UserNotifications

// The order of the methods was observed on iOS 12: recoursive.com, "Guide: UIApplicationDelegate method invocation order".

extension AppDelegateCall {
    /// Returns the launch options of an activity.
    func launchOptions(for activity: ActivityRecord) -> [UIApplication.LaunchOptionsKey: Any] {
        let dictionary: [String: Any] = [
            UIApplication.LaunchOptionsKey.userActivityType.rawValue: activity.type,
            "UIApplicationLaunchOptionsUserActivityKey": NSUserActivity(activity),
        ]
        return [.userActivityDictionary: dictionary]
    }

    /// Delivers an activity to an app without scenes.
    func continueActivity(_ record: ActivityRecord) {
        willContinue(record.type)
        let activity = NSUserActivity(record)
        call("application(_:continue:restorationHandler:)") {
            _ = delegate.application(application, continue: activity) { restored in
                for object in restored ?? [] {
                    // Apple's documentation requires the main thread.
                    MainActor.assumeIsolated { object.restoreUserActivityState(activity) }
                }
            }
        }
    }

    /// Reports an activity whose data did not arrive to an app without scenes.
    func failToContinue(_ type: String, _ error: SystemError) {
        willContinue(type)
        call("application(_:didFailToContinueUserActivityWithType:error:)") {
            delegate.application(application, didFailToContinueUserActivityWithType: type, error: error.foundation)
        }
    }

    private func willContinue(_ type: String) {
        call("application(_:willContinueUserActivityWithType:)") {
            _ = delegate.application(application, willContinueUserActivityWithType: type)
        }
    }
}

extension SceneCall {
    /// Delivers an activity to an existing scene.
    func continueActivity(_ record: ActivityRecord) {
        willContinue(record.type)
        let activity = NSUserActivity(record)
        tell("scene(_:continue:)") { $0.scene($1, continue: activity) }
    }

    /// Reports an activity whose data did not arrive to the scene, or to an app without scenes.
    func failToContinue(_ type: String, _ error: SystemError) {
        guard slot.scene != nil else { return call.failToContinue(type, error) }
        willContinue(type)
        tell("scene(_:didFailToContinueUserActivityWithType:error:)") {
            $0.scene($1, didFailToContinueUserActivityWithType: type, error: error.foundation)
        }
    }

    private func willContinue(_ type: String) {
        tell("scene(_:willContinueUserActivityWithType:)") { $0.scene($1, willContinueUserActivityWithType: type) }
    }
}

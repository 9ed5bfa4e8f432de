import PushModel

// The SDK that an app was built with, and whether it adopts the scene-based life cycle, which the SDK of iOS 27 requires.
//
// Sources: Apple, "TN3187: Migrating to the UIKit scene-based life cycle" and "Transitioning to the UIKit scene-based life cycle",
// "Determine if your app needs to migrate": an app has to migrate if its Info.plist has no `UIApplicationSceneManifest` or one without
// configurations, and its delegate does not implement `application(_:configurationForConnecting:options:)`.

extension InstalledApp {
    /// The SDK of an app that states none: that of iOS 26.
    public static let assumedSDK = 26

    /// The first SDK whose apps must adopt the scene-based life cycle.
    static let sdkWithScenes = 27

    /// The major version of the iOS SDK that the app was built with, such as 27; ``assumedSDK`` if its Info.plist does not say it.
    ///
    /// Xcode writes the SDK into the Info.plist of a build, as `DTSDKName` (`iphoneos27.0`) and `DTPlatformVersion` (`27.0`). Setting the
    /// property writes both.
    public var sdk: Int {
        get {
            let name = info["DTSDKName"]?.string.map { $0.drop { $0.isLetter } }
            let version = info["DTPlatformVersion"]?.string.map { $0[...] }
            return [name, version].lazy.compactMap { $0.flatMap(Self.majorVersion) }.first ?? Self.assumedSDK
        }
        set {
            info["DTSDKName"] = .string("iphoneos\(newValue).0")
            info["DTPlatformVersion"] = .string("\(newValue).0")
        }
    }

    /// Reads the number before the first period; nil for a text that does not begin with one of 1 to 3 digits.
    private static func majorVersion(_ text: Substring) -> Int? {
        let digits = text.prefix { $0 != "." }
        guard digits.utf8.count <= 3 else { return nil }
        return Int(digits)
    }

    /// Whether the app adopts the scene-based life cycle: its Info.plist declares the configuration of a scene, or its code has one
    /// (``configuresScenesInCode``).
    public var adoptsScenes: Bool {
        let declared = info["UIApplicationSceneManifest"]?.object?["UISceneConfigurations"]?.object ?? [:]
        return configuresScenesInCode || declared.members.contains { $0.value.array?.isEmpty == false }
    }
}

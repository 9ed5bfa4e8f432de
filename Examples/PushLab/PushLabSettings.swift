import Foundation

/// What differs between two builds of the app.
///
/// An iPhone, or a process of its own on Linux, reads them from the Info.plist beside the executable: `PushLabAppKey`
/// and `PushLabProduction`. Where several emulated devices share a process, whoever installs the app gives them to
/// `AppDelegate(settings:)`.
public struct PushLabSettings: Sendable {
    /// The app's key at the push service; nil leaves JPush out.
    public var appKey: String?
    /// How the app was built; must agree with the credential and with the push.
    public var isProduction: Bool

    public init(appKey: String?, isProduction: Bool = false) {
        self.appKey = appKey
        self.isProduction = isProduction
    }

    /// As the Info.plist has it.
    public static var main: PushLabSettings {
        let key = Bundle.main.object(forInfoDictionaryKey: "PushLabAppKey") as? String
        let isProduction = Bundle.main.object(forInfoDictionaryKey: "PushLabProduction") as? Bool
        return PushLabSettings(appKey: key, isProduction: isProduction ?? false)
    }
}

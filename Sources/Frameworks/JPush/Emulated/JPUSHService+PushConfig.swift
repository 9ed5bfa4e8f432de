import Foundation
import SystemPort
import UserNotifications

extension JPUSHService {
    /// Starts the SDK as `setup(withOption:appKey:channel:apsForProduction:)` does, with `APP_KEY`, `CHANNEL` and
    /// `APS_FOR_PRODUCTION` of the app's `PushConfig.plist`. An emulated app has that file as the dictionary
    /// `PushConfig` in its Info.plist.
    @available(iOS, introduced: 4.0, deprecated: 10.0, message: "Use setup with the values themselves.")
    public class func setup(withOption launchOptions: [AnyHashable: Any]!) {
        let config = PushConfig.of(CurrentPort.find())
        setup(
            withOption: launchOptions,
            appKey: config.appKey,
            channel: config.channel,
            apsForProduction: config.isProduction
        )
    }
}

/// The SDK's configuration file before version 2.1.
struct PushConfig {
    var appKey: String?
    var channel: String?
    var isProduction: Bool

    private init(_ members: [AnyHashable: Any]) {
        appKey = members["APP_KEY"] as? String
        channel = members["CHANNEL"] as? String
        let flag = members["APS_FOR_PRODUCTION"]
        isProduction = flag as? String == "1" || (flag as? NSNumber)?.boolValue ?? false
    }

    /// Returns `PushConfig` of the Info.plist; otherwise the file beside the executable.
    static func of(_ port: any SystemPort) -> PushConfig {
        if let members = port.facts.info["PushConfig"]?.object { return PushConfig(members.foundation) }
        let url = Bundle.main.url(forResource: "PushConfig", withExtension: "plist")
        guard let url, let data = try? Data(contentsOf: url) else { return PushConfig([:]) }
        // The format is not needed, so no pointer is passed.
        let list = unsafe try? PropertyListSerialization.propertyList(from: data, format: nil)
        return PushConfig(list as? [String: Any] ?? [:])
    }
}

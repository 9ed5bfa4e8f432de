import SystemPort

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

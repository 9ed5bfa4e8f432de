/// A language in which a device is told what is wrong.
package enum DiagnosisLanguage: String, Sendable, CaseIterable {
    case english = "en"
    case chinese = "zh-Hans"

    /// Creates the language for a BCP 47 tag, or the first one of `Accept-Language`; English for all but Chinese.
    package init(_ tag: String) {
        self = tag.lowercased().hasPrefix("zh") ? .chinese : .english
    }

    /// The text of the test push.
    var push: (title: String, body: String) {
        switch self {
        case .english: ("Test notification", "Notifications from this app arrive on this device.")
        case .chinese: ("测试通知", "本应用的通知可以送达这台设备。")
        }
    }
}

extension Diagnosis.Cause {
    /// The sentence for the user.
    package func sentence(in language: DiagnosisLanguage) -> String {
        language == .chinese ? words.chinese : words.english
    }

    /// The advice for the developer, in English.
    package var advice: String { words.advice }

    private var words: (english: String, chinese: String, advice: String) {
        switch self {
        case .well:
            ("The test notification arrived.", "测试通知已送达。", "Nothing is wrong between the service and this device.")
        case .pushOff, .noToken, .deviceOffline, .waiting, .notReported: wordsOfDevice
        case .tokenRefused, .tokenGone, .environment, .refused: wordsOfAPNs
        case .credentialMissing, .credentialExpired, .credentialRefused: wordsOfCredential
        case .permission, .provisional, .bannersOff, .focus, .summary, .foreground, .notShown: wordsOfSettings
        }
    }

    private var wordsOfDevice: (String, String, String) {
        switch self {
        case .pushOff:
            (
                "Notifications are switched off inside this app.", "本应用内的通知开关已关闭。",
                "The app has switched push off (push-switch, setPushEnable); it must switch it on again."
            )
        case .noToken:
            (
                "This app is not ready for notifications yet. Open it while the device is online, and try again.",
                "本应用尚未准备好接收通知。请在联网时打开应用后重试。",
                "The app has no APNs token: it must call registerForRemoteNotifications() and send the token it gets."
            )
        case .deviceOffline:
            (
                "The device is not connected to the notification service.", "设备未连接到通知服务。",
                "The gateway keeps the push until the device connects."
            )
        case .waiting:
            (
                "The test notification has not been sent yet. Try again in a moment.", "测试通知尚未发出，请稍后重试。",
                "The push is queued or being retried; the events say why."
            )
        default:
            (
                "The test notification was sent, but this device has not confirmed it.",
                "测试通知已发出，但设备尚未确认收到。",
                """
                APNs accepted it and no receipt came. Check that the service extension reports (mutable-content, its \
                bundle id, the App Group) and that the device is online; a Focus is not reported by real devices.
                """
            )
        }
    }

    private var wordsOfAPNs: (String, String, String) {
        switch self {
        case .tokenRefused:
            (
                "Apple does not accept this device for this app. Install the app again.",
                "Apple 不接受本设备接收本应用的通知，请重新安装应用。",
                "DeviceTokenNotForTopic: the token belongs to an app with another bundle id than the app's record."
            )
        case .tokenGone:
            (
                "This device is no longer registered with Apple. Open the app again and repeat the test.",
                "本设备在 Apple 的注册已失效。请重新打开应用后再次测试。",
                "APNs reported the token as gone (410); the app must register for remote notifications again."
            )
        case .environment:
            (
                "This version of the app was built for a different notification environment.", "本应用的版本与通知环境不一致。",
                "BadDeviceToken: build (aps-environment), registered environment and token do not agree."
            )
        default:
            (
                "Apple refused the test notification.", "Apple 拒绝了测试通知。",
                "The events have APNs's reason."
            )
        }
    }

    private var wordsOfCredential: (String, String, String) {
        let advice = "; posthorn credential, or the portal, adds one, and waiting pushes then go out."
        return switch self {
        case .credentialMissing:
            (
                "The app's provider has not finished setting up notifications.", "应用提供方尚未完成通知的配置。",
                "The app has no APNs credential for this environment" + advice
            )
        case .credentialExpired:
            (
                "The app's provider has to renew a certificate.", "应用提供方的推送证书已过期，需要更新。",
                "The APNs certificate has expired" + advice
            )
        default:
            (
                "Apple does not accept the credential of the app's provider.", "Apple 不接受应用提供方的推送凭证。",
                "APNs refuses the credential: check key id, team id, bundle id and revocation" + advice
            )
        }
    }

    private var wordsOfSettings: (String, String, String) {
        switch self {
        case .permission:
            (
                "Notifications are not allowed for this app. Allow them in Settings.", "本应用未获得通知权限，请在“设置”中允许通知。",
                "Permission is denied, or the app has never asked (requestAuthorization)."
            )
        case .provisional:
            (
                "Notifications of this app are delivered quietly, to Notification Centre only.", "本应用的通知仅静默显示在通知中心。",
                "The permission is provisional; the app must ask again without .provisional."
            )
        case .bannersOff:
            (
                "Banners are switched off for this app. Switch them on in Settings.", "本应用的横幅已关闭，请在“设置”中打开。",
                "alertSetting is disabled; notifications reach the lock screen or Notification Centre at most."
            )
        case .focus:
            (
                "A Focus is on that does not let this app through.", "已开启专注模式，且未允许本应用的通知。",
                "A time-sensitive or critical interruption level may pass."
            )
        case .summary:
            (
                "Notifications of this app wait for the scheduled summary.", "本应用的通知会在定时推送摘要中显示。",
                "Only time-sensitive and critical notifications come at once."
            )
        case .foreground:
            (
                "The test notification arrived; this app shows none while it is open.", "测试通知已送达；应用打开时不显示通知。",
                "userNotificationCenter(_:willPresent:) returned nothing to show, or is not implemented."
            )
        default:
            (
                "The test notification arrived, but the device did not show it.", "测试通知已送达，但设备未显示。",
                "The verdict in the facts has the rule."
            )
        }
    }
}

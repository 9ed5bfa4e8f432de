import PushModel

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
        Words.diagnosis["\(rawValue)_\(language.rawValue)"] ?? ""
    }

    /// The advice for the developer, in English.
    package var advice: String { Words.diagnosis["\(rawValue)_advice"] ?? "" }
}

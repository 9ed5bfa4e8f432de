public import Foundation
import SystemPort

extension NSString {
    /// A string of the app's `Localizable.strings` with its arguments; the key itself if there is none.
    ///
    /// It is read in the device's current language. As title, subtitle, body or summary argument of a request that this
    /// process adds, it is resolved again at delivery in the language of that time; as placeholder or summary format of
    /// a category, whenever that is shown. Joined with other text it stays unchanged.
    public class func localizedUserNotificationString(forKey key: String, arguments: [Any]?) -> String {
        let port = CurrentPort.find()
        let origin = LocalizedString(key: key, arguments: (arguments ?? []).map { String(describing: $0) })
        let text = origin.text(in: port.facts.strings)
        LocalizedTexts.of(port).remember(text, as: origin)
        return text
    }
}

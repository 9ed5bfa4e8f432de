public import Foundation
import SystemPort

extension NSString {
    /// A string of the app's `Localizable.strings` with its arguments; the key itself where there is none.
    ///
    /// On Linux it is resolved at the call, in the device's language of that moment.
    public class func localizedUserNotificationString(forKey key: String, arguments: [Any]?) -> String {
        LocalizedText.fill(
            CurrentPort.find().facts.strings[key] ?? key,
            with: (arguments ?? []).map { String(describing: $0) }
        )
    }
}

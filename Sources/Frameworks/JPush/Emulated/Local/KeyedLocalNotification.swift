import CoreLocation
import SystemPort
import UIKit

/// A local notification with the name by which the app finds it.
final class KeyedLocalNotification: UILocalNotification {
    let key: String

    init(key: String) {
        self.key = key
        super.init()
    }

    init(key: String, _ record: LegacyNotificationRecord) {
        self.key = key
        super.init(record)
    }

    /// Sets what came after iOS 7, as far as the app uses it and its system has it.
    func setLater(title: String? = nil, category: String?, region: CLRegion?, triggersOnce: Bool) {
        if SystemSymbol.setAlertTitle.exists { alertTitle = title }
        guard SystemSymbol.setRegion.exists else { return }
        self.category = category
        self.region = region
        regionTriggersOnce = triggersOnce
    }

    required init?(coder: NSCoder) {
        key = coder.decodeObject(of: NSString.self, forKey: "key").map { String(describing: $0) } ?? ""
        super.init(coder: coder)
    }

    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(NSString(string: key), forKey: "key")
    }
}

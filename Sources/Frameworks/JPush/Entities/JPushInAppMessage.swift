// Properties as imported from the header: `!` where an app may read and write either way.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Foundation

/// A message that the SDK shows within the app. The first name is the SDK's own.
open class JPushInAppMessage: NSObject, NSCopying {
    open var mesageId: String! = ""
    open var title: String! = ""
    open var content: String! = ""
    /// The pages on which it may be shown.
    open var target: [Any]! = []
    /// The action of a tap.
    open var clickAction: String! = ""
    open var extras: [AnyHashable: Any]! = [:]

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = JPushInAppMessage()
        copy.mesageId = mesageId
        copy.title = title
        copy.content = content
        copy.target = target
        copy.clickAction = clickAction
        copy.extras = extras
        return copy
    }
}

/// The device data that the SDK may read. Posthorn's reads none of it.
open class JPushCollectControl: NSObject, NSCopying {
    open var ssid = true
    open var bssid = true
    open var cell = true
    open var gps = true

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = JPushCollectControl()
        copy.ssid = ssid
        copy.bssid = bssid
        copy.cell = cell
        copy.gps = gps
        return copy
    }
}

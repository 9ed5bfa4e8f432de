// Properties as imported from the header: `!` where an app may read and write either way.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

#if os(iOS) || os(Linux) && canImport(UIKit)

public import Foundation

#if canImport(ObjectiveC)
@objc(JPushInAppMessage) @objcMembers
#endif
/// A message that the SDK shows within the app. The first name is the SDK's own.
open class JPushInAppMessage: NSObject, NSCopying {
    /// The identifier of the message; the spelling is the SDK's.
    open var mesageId: String! = ""
    /// The title; empty for none.
    open var title: String! = ""
    /// The text.
    open var content: String! = ""
    /// The pages on which it may be shown.
    open var target: [Any]! = []
    /// The action of a tap.
    open var clickAction: String! = ""
    /// The further keys of the message.
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

#if canImport(ObjectiveC)
@objc(JPushCollectControl) @objcMembers
#endif
/// The device data that the SDK may read. Posthorn's reads none of it.
open class JPushCollectControl: NSObject, NSCopying {
    /// Whether the SDK may read the Wi-Fi's name; without effect, nothing is read.
    open var ssid = true
    /// Whether the SDK may read the Wi-Fi's address; without effect, nothing is read.
    open var bssid = true
    /// Whether the SDK may read the mobile cell; without effect, nothing is read.
    open var cell = true
    /// Whether the SDK may read the location; without effect, nothing is read.
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

#endif

// swift-format-ignore-file: NeverForceUnwrap, OmitExplicitReturns, NeverUseImplicitlyUnwrappedOptionals

import Foundation
import JPush
import UIKit

// Swift 5 mode: the bridge of a cross-platform plugin. It observes by the raw names, and hands on dictionaries.
public class PluginBridge: NSObject {
    public typealias Callback = (String, [String: Any]) -> Void
    private var callback: Callback
    private var tokens: [NSObjectProtocol] = []

    public init(callback: @escaping Callback) {
        self.callback = callback
        super.init()
        observe("kJPFNetworkDidLoginNotification", "connected")
        observe("kJPFNetworkDidCloseNotification", "closed")
        observe("kJPFNetworkDidRegisterNotification", "registered")
        observe("kJPFNetworkDidReceiveMessageNotification", "onReceiveMessage")
        observe("kJPFServiceErrorNotification", "error")
    }

    deinit {
        for token in tokens { NotificationCenter.default.removeObserver(token) }
    }

    private func observe(_ name: String, _ event: String) {
        let token = NotificationCenter.default.addObserver(
            forName: NSNotification.Name(rawValue: name),
            object: nil,
            queue: nil
        ) { [weak self] note in
            var arguments: [String: Any] = [:]
            for (key, value) in note.userInfo ?? [:] {
                if let key = key as? String { arguments[key] = value }
            }
            self?.callback(event, arguments)
        }
        tokens.append(token)
    }

    /// Everything of a payload that is not the system's or the SDK's own.
    public static func extras(of userInfo: [AnyHashable: Any]) -> [String: Any] {
        var extras: [String: Any] = [:]
        for (key, value) in userInfo {
            guard let key = key as? String else { continue }
            if key == "aps" || key == "_j_msgid" || key == "_j_uid" || key == "_j_business" { continue }
            extras[key] = value
        }
        return extras
    }

    public func call(_ method: String, _ arguments: [String: Any], result: @escaping (Any?) -> Void) {
        let sequence = arguments["sequence"] as? Int ?? 0
        switch method {
        case "setTags":
            let tags = Set(arguments["tags"] as? [String] ?? [])
            JPUSHService.setTags(
                tags,
                completion: { iResCode, iTags, seq in
                    result(iResCode == 0 ? ["tags": Array(iTags ?? []), "sequence": seq] : ["code": iResCode])
                },
                seq: sequence
            )
        case "getAllTags":
            JPUSHService.getAllTags(
                { iResCode, iTags, seq in
                    result(iTags?.compactMap { $0 as? String })
                },
                seq: sequence
            )
        case "setAlias":
            JPUSHService.setAlias(
                arguments["alias"] as? String,
                completion: { iResCode, iAlias, seq in
                    result(["alias": iAlias ?? "", "code": iResCode, "sequence": seq])
                },
                seq: sequence
            )
        case "sendLocalNotification":
            let content = JPushNotificationContent()
            content.title = arguments["title"] as? String
            content.subtitle = arguments["subtitle"] as? String
            content.body = arguments["content"] as? String
            content.badge = arguments["badge"] as? NSNumber
            content.sound = arguments["sound"] as? String
            content.userInfo = arguments["extra"] as? [AnyHashable: Any]
            let trigger = JPushNotificationTrigger()
            if let milliseconds = arguments["fireTime"] as? Double {
                trigger.timeInterval = milliseconds / 1000
            }
            let request = JPushNotificationRequest()
            request.content = content
            request.trigger = trigger
            request.requestIdentifier = "\(arguments["id"] ?? "")"
            request.completionHandler = { notification in result(notification != nil) }
            JPUSHService.addNotification(request)
        case "getRegistrationID":
            result(JPUSHService.registrationID())
        case "isNotificationEnabled":
            JPUSHService.requestNotificationAuthorization { status in
                result(status == JPAuthorizationStatus.statusAuthorized)
            }
        case "stopPush":
            JPUSHService.setPushEnable(false) { code in result(code) }
        default:
            result(nil)
        }
    }
}

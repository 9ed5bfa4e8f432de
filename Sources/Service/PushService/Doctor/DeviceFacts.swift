import Foundation
import PushModel

/// The facts about a device that `posthorn doctor` judges.
struct DeviceFacts {
    var device: RegisteredDevice
    var presence: Presence
    var app: App
    /// The environments for which the app has a credential.
    var credentials: Set<APNSEnvironment>

    func findings() -> [Finding] { [seen, token, build, pushSwitch, link, names, badge] }

    private var seen: Finding {
        let date = device.lastSeen.formatted(.iso8601)
        return Finding(of: "device", .ok, "The app '\(app.name)' has the device, last seen on \(date).")
    }

    private var token: Finding {
        if let reason = device.tokenRefusal {
            return Finding(
                of: "token",
                .wrong,
                "APNs has refused the token with \(reason): nothing is sent to it until the app registers again.",
                remedy:
                    "Start the app once. If the token stays, it is of another build, environment or app: see the check 'build'."
            )
        }
        guard let token = device.token else {
            return Finding(
                of: "token",
                .wrong,
                "The device has no APNs token: it gets custom messages only.",
                remedy:
                    "The app must call registerForRemoteNotifications and hand the token to registerDeviceToken. Error 3000 there "
                    + "means that the profile has no 'aps-environment': turn push on for the App ID and make a new profile. No callback "
                    + "at all: the phone does not reach Apple on TCP 5223."
            )
        }
        let since = device.tokenRegisteredAt.formatted(.iso8601)
        return Finding(of: "token", .ok, "The token \(token.hexadecimal.prefix(8))… was last confirmed on \(since).")
    }

    private var build: Finding {
        let environment = device.environment
        guard credentials.contains(environment) else {
            return Finding(
                of: "build",
                .wrong,
                "The device has a \(environment) build, and the app has no credential for \(environment).",
                remedy:
                    "'posthorn credential add \(app.key)' adds a .p8 for both environments, or a certificate for this one."
            )
        }
        let found = "The device has a \(environment) build"
        guard app.defaultEnvironment == environment else {
            return Finding(
                of: "build",
                .warning,
                "\(found), and the app is set to \(app.defaultEnvironment): pushes to \(app.defaultEnvironment) do not reach it.",
                remedy: "Send to \(environment) (apns_production: \(environment == .production)), or "
                    + "'posthorn app set \(app.key) --environment \(environment)'."
            )
        }
        return Finding(of: "build", .ok, "\(found); credential and setting agree with it.")
    }

    private var pushSwitch: Finding {
        guard device.isStopped else { return Finding(of: "switch", .ok, "Push is switched on in the app.") }
        return Finding(
            of: "switch",
            .wrong,
            "The app has switched push off (stopPush): the device gets neither notifications nor messages.",
            remedy: "The app must switch it on again (resumePush)."
        )
    }

    private var link: Finding {
        switch presence {
        case .online: return Finding(of: "link", .ok, "The device is online: custom messages reach it at once.")
        case .offline(let date):
            return Finding(
                of: "link",
                .warning,
                "The device is offline, last seen on \(date.formatted(.iso8601)): custom messages wait, notifications do not.",
                remedy: "Custom messages need the app in the foreground; with time_to_live 0 they do not wait."
            )
        }
    }

    private var names: Finding {
        let alias = device.alias.map { "the alias '\($0)'" } ?? "no alias"
        let tags =
            device.tags.isEmpty
            ? "no tags" : "the tags \(device.tags.sorted().map { "'\($0)'" }.joined(separator: ", "))"
        let found = "The device has \(alias) and \(tags)."
        guard device.alias == nil, device.tags.isEmpty else { return Finding(of: "names", .ok, found) }
        return Finding(
            of: "names",
            .warning,
            found + " Only its registration id and 'all' select it.",
            remedy: "If it should have some, look in the app whether setTags and setAlias complete with code 0."
        )
    }

    /// The badge from which `+1` counts; above 0, the app may have forgotten to reset it.
    private var badge: Finding {
        let found = "The service's badge is \(device.badge): '+1' makes it \(device.badge + 1)."
        guard device.badge > 0 else { return Finding(of: "badge", .ok, found) }
        return Finding(
            of: "badge",
            .warning,
            found + " The app has not reset it since.",
            remedy:
                "When the user has seen the notifications, the app must call JPUSHService.resetBadge() or setBadge(0), besides "
                + "clearing the icon itself; otherwise the count keeps growing."
        )
    }
}

import Foundation
import PushModel

/// The facts about a device that `posthorn doctor` judges.
struct DeviceFacts {
    var device: RegisteredDevice
    var presence: Presence
    var app: App
    /// The environments for which the app has a credential.
    var credentials: Set<APNSEnvironment>
    /// The registration id of the phone that has shared this registration.
    var separated: String?

    func findings() -> [Finding] {
        [seen, shared, token, build, pushSwitch, link, names, badge].compactMap(\.self)
    }

    /// That two phones have shared the registration; nil if none has reported that.
    private var shared: Finding? {
        guard let separation = device.separation, let separated else { return nil }
        let values = ["date": separation.date.formatted(.iso8601), "id": separated]
        return Finding(of: "shared", .warning, .registrationShared, with: values)
    }

    private var seen: Finding {
        let date = device.lastSeen.formatted(.iso8601)
        return Finding(of: "device", .ok, .deviceKnown, with: ["name": app.name, "date": date])
    }

    private var token: Finding {
        if let reason = device.tokenRefusal {
            return Finding(of: "token", .wrong, .tokenRefused, with: ["reason": reason.rawValue])
        }
        guard let token = device.token else { return Finding(of: "token", .wrong, .tokenMissing) }
        let since = device.tokenRegisteredAt.formatted(.iso8601)
        return Finding(
            of: "token",
            .ok,
            .tokenConfirmed,
            with: ["token": "\(token.hexadecimal.prefix(8))", "date": since]
        )
    }

    private var build: Finding {
        let environment = device.environment
        guard credentials.contains(environment) else {
            return Finding(
                of: "build",
                .wrong,
                .buildWithoutCredential,
                with: ["environment": environment.rawValue, "app": app.key]
            )
        }
        guard app.defaultEnvironment == environment else {
            let values: [String: any CustomStringConvertible] = [
                "other": environment.rawValue, "environment": app.defaultEnvironment.rawValue,
                "production": environment == .production, "app": app.key,
            ]
            return Finding(of: "build", .warning, .buildOther, with: values)
        }
        return Finding(of: "build", .ok, .buildRight, with: ["environment": environment.rawValue])
    }

    private var pushSwitch: Finding {
        device.isStopped ? Finding(of: "switch", .wrong, .pushOff) : Finding(of: "switch", .ok, .pushOn)
    }

    private var link: Finding {
        switch presence {
        case .online: Finding(of: "link", .ok, .online)
        case .offline(let date): Finding(of: "link", .warning, .offline, with: ["date": date.formatted(.iso8601)])
        }
    }

    private var names: Finding {
        let tags = device.tags.sorted().map { "'\($0)'" }.joined(separator: ", ")
        return switch (device.alias, tags.isEmpty) {
        case (let alias?, false): Finding(of: "names", .ok, .aliasAndTags, with: ["alias": alias, "tags": tags])
        case (let alias?, true): Finding(of: "names", .ok, .aliasOnly, with: ["alias": alias])
        case (nil, false): Finding(of: "names", .ok, .tagsOnly, with: ["tags": tags])
        case (nil, true): Finding(of: "names", .warning, .noNames)
        }
    }

    /// The badge from which `+1` counts; above 0, the app may have forgotten to reset it.
    private var badge: Finding {
        let values = ["badge": device.badge, "next": device.badge + 1]
        return device.badge > 0
            ? Finding(of: "badge", .warning, .badgeNotReset, with: values)
            : Finding(of: "badge", .ok, .badgeRight, with: values)
    }
}

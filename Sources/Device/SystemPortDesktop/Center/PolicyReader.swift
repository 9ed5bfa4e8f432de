import Foundation

/// Reads the user's settings for single apps from the desktop.
///
/// GNOME has them in GSettings, KDE Plasma in a file. Other desktops have none that apps can read: there everything is on, and the server
/// alone decides what it shows.
package struct PolicyReader: Sendable {
    private let environment: DesktopEnvironment

    package init(_ environment: DesktopEnvironment) { self.environment = environment }

    /// Returns the settings of an app.
    package func policy(of app: AppEntry) -> DesktopPolicy {
        let id = app.desktopEntry ?? app.bundleID
        if environment.desktops.contains(where: { $0.contains("GNOME") }) { return gnome(id) }
        if environment.desktops.contains("KDE") { return kde(id) }
        return DesktopPolicy()
    }

    private func gnome(_ id: String) -> DesktopPolicy {
        guard let program = ProgramRun.path(of: "gsettings", in: environment) else { return DesktopPolicy() }
        let schema = "org.gnome.desktop.notifications"
        let path = GNOMESettings.path(of: id)
        return GNOMESettings.policy(
            app: ProgramRun.output(of: [program, "list-recursively", "\(schema).application:\(path)"]) ?? "",
            all: ProgramRun.output(of: [program, "list-recursively", schema]) ?? ""
        )
    }

    private func kde(_ id: String) -> DesktopPolicy {
        let file = environment.settingsFolder.appendingPathComponent("plasmanotifyrc")
        return KDESettings.policy(of: id, in: (try? String(contentsOf: file, encoding: .utf8)) ?? "")
    }
}

/// GNOME's settings. Source: gsettings-desktop-schemas, `org.gnome.desktop.notifications.application`, and the ids of GNOME Shell.
package enum GNOMESettings {
    /// Returns the place of an app's settings: its id in lower case, with a dash for whatever is neither a letter nor a digit.
    package static func path(of id: String) -> String {
        var name = ""
        for character in id.lowercased() {
            let isPlain = character.isASCII && (character.isLetter || character.isNumber)
            if isPlain { name.append(character) } else if name.last != "-" { name.append("-") }
        }
        return "/org/gnome/desktop/notifications/application/\(name)/"
    }

    /// Reads what `gsettings list-recursively` prints for the app, empty if it has failed, and for all apps.
    package static func policy(app: String, all: String) -> DesktopPolicy {
        let app = values(app)
        let all = values(all)
        var policy = DesktopPolicy()
        policy.isEnabled = app["enable"] != "false"
        // The shell then puts notifications into its list without a banner.
        policy.showsPopups = app["show-banners"] != "false" && all["show-banners"] != "false"
        policy.playsSounds = app["enable-sound-alerts"] != "false"
        policy.showsOnLockScreen = app["show-in-lock-screen"] != "false" && all["show-in-lock-screen"] != "false"
        return policy
    }

    /// Lines such as `org.gnome.desktop.notifications show-banners true`.
    private static func values(_ text: String) -> [String: String] {
        var values: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 2)
            if words.count == 3 { values[String(words[1])] = String(words[2]) }
        }
        return values
    }
}

/// KDE Plasma's settings. Source: plasma-workspace, libnotificationmanager, `behaviorsettings`.
package enum KDESettings {
    /// Reads the settings of a desktop entry from the contents of `plasmanotifyrc`.
    package static func policy(of id: String, in text: String) -> DesktopPolicy {
        var policy = DesktopPolicy()
        var isOwn = false
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") { isOwn = line == "[Applications][\(id)]" }
            guard isOwn else { continue }
            switch line.filter({ $0 != " " }) {
            case "ShowPopups=false": policy.showsPopups = false
            case "ShowInHistory=false": policy.keepsHistory = false
            case "ShowBadges=false": policy.showsBadges = false
            default: break
            }
        }
        // With neither a popup nor an entry in the list, nothing is left of a notification.
        policy.isEnabled = policy.showsPopups || policy.keepsHistory
        return policy
    }
}

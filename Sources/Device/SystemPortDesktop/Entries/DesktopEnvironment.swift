package import Foundation

/// The user's desktop, as the variables of the process describe it. Source: XDG Base Directory Specification.
package struct DesktopEnvironment: Hashable, Sendable {
    private let variables: [String: String]

    /// - Parameter variables: the environment of a process.
    package init(_ variables: [String: String] = ProcessInfo.processInfo.environment) { self.variables = variables }

    /// Returns a variable; nil if it is missing or empty.
    package subscript(_ name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    private var home: String { self["HOME"] ?? NSHomeDirectory() }

    /// Returns a folder by its variable, which counts only if it is absolute.
    private func folder(_ name: String, default path: String) -> URL {
        let path = self[name].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/\(path)"
        return URL(fileURLWithPath: path, isDirectory: true)
    }

    /// The folder for what survives restarts.
    package var stateFolder: URL { folder("XDG_STATE_HOME", default: ".local/state") }
    /// The user's own data.
    package var dataFolder: URL { folder("XDG_DATA_HOME", default: ".local/share") }
    /// The user's own settings.
    package var settingsFolder: URL { folder("XDG_CONFIG_HOME", default: ".config") }

    /// The folders with data, the most important one first.
    package var dataFolders: [URL] {
        let shared = (self["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share").split(separator: ":")
        return [dataFolder]
            + shared.filter { $0.hasPrefix("/") }.map { URL(fileURLWithPath: String($0), isDirectory: true) }
    }

    /// The locale of texts, as `LC_MESSAGES` has it; empty for none.
    package var locale: String {
        let name = self["LC_ALL"] ?? self["LC_MESSAGES"] ?? self["LANG"] ?? ""
        return ["C", "POSIX"].contains(name.prefix { $0 != "." }) ? "" : name
    }

    /// The address of the session bus; nil to find it as libdbus does.
    package var busAddress: String? { self["DBUS_SESSION_BUS_ADDRESS"] }

    /// The names of the desktop, `GNOME` for example.
    package var desktops: [String] { self["XDG_CURRENT_DESKTOP"]?.split(separator: ":").map(String.init) ?? [] }
}

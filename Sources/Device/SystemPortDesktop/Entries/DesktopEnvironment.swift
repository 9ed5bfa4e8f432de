package import Foundation

/// The user's desktop, as the variables of the process describe it. Source: XDG Base Directory Specification.
package struct DesktopEnvironment: Hashable, Sendable {
    private let variables: [String: String]

    /// - Parameter variables: the environment of a process.
    package init(_ variables: [String: String] = ProcessInfo.processInfo.environment) { self.variables = variables }

    /// Returns a variable; nil if it is missing or empty.
    package subscript(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }

    private var home: String { self["HOME"] ?? NSHomeDirectory() }

    /// Returns a folder by its variable, which counts only if it is absolute.
    private func folder(_ name: String, default path: String) -> URL {
        let path = self[name].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/\(path)"
        return URL(fileURLWithPath: path, isDirectory: true)
    }

    /// The folder for what survives restarts.
    var stateFolder: URL { folder("XDG_STATE_HOME", default: ".local/state") }
    /// The user's own data.
    package var dataFolder: URL { folder("XDG_DATA_HOME", default: ".local/share") }
    /// The user's own settings.
    var settingsFolder: URL { folder("XDG_CONFIG_HOME", default: ".config") }

    /// The folders with data, the most important one first.
    var dataFolders: [URL] {
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
    var busAddress: String? { self["DBUS_SESSION_BUS_ADDRESS"] }

    /// The names of the desktop, `GNOME` for example.
    package var desktops: [String] { self["XDG_CURRENT_DESKTOP"]?.split(separator: ":").map(String.init) ?? [] }
}

/// The bundle id of this process on the desktop.
package enum DesktopIdentity {
    /// The variable by which the bundle id can be set; the service sets it for an app that it starts.
    package static let variable = "POSTHORN_DESKTOP_APP"

    /// - Parameters:
    ///   - environment: the variables of the process.
    ///   - bundleID: the bundle id in the Info.plist; nil if there is none.
    ///   - program: the path of the executable.
    ///   - process: the number of the process.
    /// - Returns: the bundle id: the variable's, that of an Info.plist beside the executable, the name of the desktop entry that started
    ///   the process or that starts its program, or the program's name.
    package static func bundleID(
        in environment: DesktopEnvironment,
        bundleID: String?,
        program: String,
        process: Int32
    ) -> String {
        if let name = environment[variable] { return name }
        if let bundleID, !bundleID.isEmpty { return bundleID }
        // Set by GLib, for this process only: a child inherits the file but not the number.
        if let file = environment["GIO_LAUNCHED_DESKTOP_FILE"],
            environment["GIO_LAUNCHED_DESKTOP_FILE_PID"] == "\(process)"
        {
            return ((file as NSString).lastPathComponent as NSString).deletingPathExtension
        }
        if let found = DesktopEntries(environment).identifier(of: program) { return found }
        return (program as NSString).lastPathComponent
    }

    /// The path of this process's executable; empty if the kernel does not say it.
    package static var program: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    }
}

package import Foundation

/// The two files by which a session knows the user service: the bus starts it at its first use, and the desktop at login, so that what is
/// pending is shown after a restart.
///
/// Sources: D-Bus Specification, "Message Bus Starting Services"; Desktop Application Autostart Specification.
package struct ServiceFiles: Sendable {
    /// The bus's file.
    package let activation: URL
    /// The file for the login.
    package let autostart: URL

    /// Finds the files of a user.
    package init(_ environment: DesktopEnvironment) {
        activation = environment.dataFolder.appendingPathComponent("dbus-1/services/\(DesktopService.busName).service")
        autostart = environment.settingsFolder.appendingPathComponent("autostart/posthorn-desktop.desktop")
    }

    /// - Parameter program: the path of `posthorn`.
    /// - Returns: the contents of ``activation``.
    package static func activation(of program: String) -> String {
        "[D-BUS Service]\nName=\(DesktopService.busName)\nExec=\(quoted(program)) desktop run\n"
    }

    /// - Parameter program: the path of `posthorn`.
    /// - Returns: the contents of ``autostart``.
    package static func autostart(of program: String) -> String {
        """
        [Desktop Entry]
        Type=Application
        Name=Notifications of Swift programs
        Exec=\(quoted(program)) desktop run
        NoDisplay=true
        X-GNOME-Autostart-enabled=true

        """
    }

    /// Writes both files.
    ///
    /// - Parameter program: the path of `posthorn`.
    /// - Throws: an error of the file system.
    package func install(_ program: String) throws {
        for (file, text) in [(activation, Self.activation(of: program)), (autostart, Self.autostart(of: program))] {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            // In place: a link to a file elsewhere, as of one's own settings under version control, stays one.
            try text.write(to: file, atomically: false, encoding: .utf8)
        }
    }

    /// Removes both files.
    ///
    /// - Returns: whether there was one.
    /// - Throws: an error of the file system.
    package func uninstall() throws -> Bool {
        let found = [activation, autostart].filter { FileManager.default.fileExists(atPath: $0.path) }
        for file in found { try FileManager.default.removeItem(at: file) }
        return !found.isEmpty
    }

    private static func quoted(_ path: String) -> String {
        path.contains(where: { " \t\"'\\><~|&;$*?#()`".contains($0) })
            ? "\"\(path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"" : path
    }
}

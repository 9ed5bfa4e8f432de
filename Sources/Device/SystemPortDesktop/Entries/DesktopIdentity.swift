import Foundation

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

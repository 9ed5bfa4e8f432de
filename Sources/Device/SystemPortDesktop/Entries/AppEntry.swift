/// An app as the desktop knows it.
package struct AppEntry: Hashable, Sendable, Codable {
    /// The app's bundle id.
    package var bundleID: String
    /// The name of the desktop entry's file, without its extension; nil if the app has none.
    package var desktopEntry: String?
    /// The name that notifications show.
    package var name: String
    /// The name of an icon of the theme, or a path; empty for none.
    package var icon = ""
    /// The program and its arguments, for a tap while the app does not run; empty if it cannot be started.
    package var command: [String] = []
    /// The path of the desktop entry's file; nil if the app has none.
    package var entryFile: String?

    package init(bundleID: String, name: String) {
        self.bundleID = bundleID
        self.name = name
    }
}

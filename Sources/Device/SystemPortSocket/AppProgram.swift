package import PushModel

/// An executable that is an app, or an extension of one.
package struct AppProgram: Sendable {
    package var path: String
    /// The prefix of each line that it prints.
    package var name: String
    /// Its own Info.plist, if it differs from the app's: an extension has one.
    package var info: JSONObject?
    /// Variables added to the environment of the device's own process.
    package var environment: [String: String] = [:]
    /// Receives each line that it prints, after the name, on any thread.
    package var output: @Sendable (String) -> Void

    package init(path: String, name: String, info: JSONObject? = nil, output: @escaping @Sendable (String) -> Void) {
        self.path = path
        self.name = name
        self.info = info
        self.output = output
    }
}

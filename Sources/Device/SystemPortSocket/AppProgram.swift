package import PushModel

/// A program that is an app, or an extension of one.
package struct AppProgram: Sendable {
    package var path: String
    /// What stands before each line that it prints.
    package var name: String
    /// Its own Info.plist, where that is not the app's: an extension has one.
    package var info: JSONObject?
    /// Added to the variables of the device's own process.
    package var environment: [String: String] = [:]
    /// Hears each line that it prints, after the name, on any thread.
    package var output: @Sendable (String) -> Void

    package init(
        path: String,
        name: String,
        info: JSONObject? = nil,
        output: @escaping @Sendable (String) -> Void
    ) {
        self.path = path
        self.name = name
        self.info = info
        self.output = output
    }
}

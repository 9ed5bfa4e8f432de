package import SystemPort

extension Device {
    /// Returns the buttons of a notification on the screen, without showing them; empty if it is not there.
    package func buttons(of id: String) -> [ActionRecord] {
        read { state in state.entries[id].map { state.buttons(of: $0) } ?? [] }
    }

    /// Returns the categories that an app has registered.
    package func categories(of bundleID: String) -> [CategoryRecord] { read { $0.apps[bundleID]?.categories ?? [] } }
}

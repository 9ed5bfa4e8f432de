package import PushModel

/// Apps and their settings.
package protocol AppStore: Sendable {
    func apps() async throws -> [App]
    /// Returns a value that changes whenever the apps may have changed: another process has written, or this one has created,
    /// changed or deleted an app. Reads nothing from the disk.
    func appsVersion() async throws -> AppsVersion
    /// Creates an app.
    ///
    /// - Throws: ``StoreError/duplicate`` if the key is taken.
    func createApp(_ draft: App) async throws -> App
    /// Sets the quiet hours of an app; nil removes them.
    func setQuietHours(_ hours: QuietHours?, of app: App.ID) async throws
}

/// The version of a store's apps; equal as long as no app can have been added or changed.
package struct AppsVersion: Hashable, Sendable {
    /// Increases with each commit of another process.
    package var others: Int64
    /// Increases with each change of an app by this process.
    package var own: Int

    package init(others: Int64, own: Int) {
        self.others = others
        self.own = own
    }
}

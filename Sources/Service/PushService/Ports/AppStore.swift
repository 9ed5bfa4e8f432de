package import PushModel

/// Apps and their settings.
package protocol AppStore: Sendable {
    func apps() async throws -> [App]
    /// The number of apps created, changed and deleted since the store was opened.
    var appsVersion: Int { get }
    /// Creates an app.
    ///
    /// - Throws: ``StoreError/duplicate`` if the key is taken.
    func createApp(_ draft: App) async throws -> App
    /// Sets the environment of an app's pushes that name none.
    func setEnvironment(_ environment: APNSEnvironment, of app: App.ID) async throws
    /// Sets whether pushes of an app for which there are warnings are refused.
    func setStrict(_ isStrict: Bool, of app: App.ID) async throws
    /// Sets the quiet hours of an app; nil removes them.
    func setQuietHours(_ hours: QuietHours?, of app: App.ID) async throws
    /// Reads the segments of all apps, in the order of their apps and names.
    func segments() async throws -> [(app: App.ID, segment: Segment)]
    /// Creates or replaces a segment.
    func setSegment(_ segment: Segment, of app: App.ID) async throws
    /// Deletes a segment; returns whether it existed.
    func deleteSegment(_ name: String, of app: App.ID) async throws -> Bool
}

package import Foundation
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
    /// Counts what goes with an app. Reads its rows.
    func contents(of id: App.ID) async throws -> AppContents
    /// Deletes the app, its memberships in groups, its schedules and credentials in one transaction; its other rows are deleted
    /// gradually. Its key and its id are never used again.
    ///
    /// - Returns: false if it was deleted before.
    @discardableResult
    func deleteApp(_ id: App.ID, at date: Date) async throws -> Bool
    /// Sets the environment of an app's pushes that name none.
    func setEnvironment(_ environment: APNSEnvironment, of app: App.ID) async throws
    /// Sets whether pushes of an app for which there are warnings are refused.
    func setStrict(_ isStrict: Bool, of app: App.ID) async throws
    /// Sets the quiet hours of an app; nil removes them.
    func setQuietHours(_ hours: QuietHours?, of app: App.ID) async throws
    /// Sets who says which aliases an app's devices have, and the prefix of its protected tags; its keys stay.
    func setAliases(_ rules: AliasRules, of app: App.ID) async throws
    /// Takes the next number of an app's key for proofs of aliases; proofs by the key before are valid until `date`, if at all.
    ///
    /// - Returns: the number; nil if there is no such app.
    func takeAliasKey(of app: App.ID, formerUntil date: Date?) async throws -> Int64?
    /// Reads the segments of all apps, in the order of their apps and names.
    func segments() async throws -> [(app: App.ID, segment: Segment)]
    /// Creates or replaces a segment.
    func setSegment(_ segment: Segment, of app: App.ID) async throws
    /// Deletes a segment; returns whether it existed.
    func deleteSegment(_ name: String, of app: App.ID) async throws -> Bool
}

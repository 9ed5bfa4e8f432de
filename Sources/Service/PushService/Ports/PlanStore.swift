package import Foundation
package import PushModel

/// A push plan of an app: a label for pushes, whose results are counted together.
package struct PushPlan: Hashable, Sendable {
    package var app: App.ID
    /// 1 to 255 bytes.
    package var name: String
    package var description: String
    package var createdAt: Date
    /// The number of pushes, also of those that are deleted by now.
    package var pushCount = 0
    package var lastUsedAt: Date?

    package init(app: App.ID, name: String, description: String, createdAt: Date) {
        (self.app, self.name, self.description, self.createdAt) = (app, name, description, createdAt)
    }
}

/// The push plans of apps.
package protocol PlanStore: Sendable {
    /// Stores a plan unless its app has `limit` others.
    ///
    /// - Returns: whether it is stored.
    /// - Throws: ``StoreError/duplicate(_:)`` if the app has a plan of this name.
    func createPlan(_ plan: PushPlan, limit: Int) async throws -> Bool
    /// Changes the description of a plan.
    ///
    /// - Returns: whether there is one.
    func setPlanDescription(_ description: String, _ name: String, of app: App.ID) async throws -> Bool
    /// Returns the app's plans, in order of creation.
    func plans(of app: App.ID) async throws -> [PushPlan]
    func plan(_ name: String, of app: App.ID) async throws -> PushPlan?
    /// Counts pushes that are about to be stored as pushes of their plans. A label whose push was not stored has no effect on reports.
    func label(_ pushes: [(message: MessageID, plan: String)], of app: App.ID, at date: Date) async throws
    /// Returns the latest pushes of a plan, the newest first.
    func messages(ofPlan name: String, of app: App.ID, limit: Int) async throws -> [MessageID]
}

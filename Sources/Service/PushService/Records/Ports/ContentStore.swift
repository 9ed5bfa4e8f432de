package import Foundation
package import PushModel

/// A push template of an app.
package struct TemplateRecord: Hashable, Sendable {
    /// 12 hexadecimal digits.
    package var id: String
    package var app: App.ID
    package var template: PushTemplate
    package var createdAt: Date

    package init(id: String, app: App.ID, template: PushTemplate, createdAt: Date) {
        self.id = id
        self.app = app
        self.template = template
        self.createdAt = createdAt
    }
}

/// The push templates of apps.
package protocol TemplateStore: Sendable {
    /// Stores a template unless its app has `limit` others.
    ///
    /// - Returns: whether it is stored.
    func createTemplate(_ record: TemplateRecord, limit: Int) async throws -> Bool
    /// Returns the app's templates, in order of creation.
    func templates(of app: App.ID) async throws -> [TemplateRecord]
    func template(_ id: String, of app: App.ID) async throws -> TemplateRecord?
    /// Replaces the content of a template.
    ///
    /// - Returns: whether there is one.
    func setTemplate(_ template: PushTemplate, _ id: String, of app: App.ID) async throws -> Bool
    /// Deletes a template.
    ///
    /// - Returns: whether there was one.
    func deleteTemplate(_ id: String, of app: App.ID) async throws -> Bool
}

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
        self.app = app
        self.name = name
        self.description = description
        self.createdAt = createdAt
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
    /// Deletes a plan and up to `limit` labels of its pushes; the pushes stay.
    ///
    /// - Returns: true if it is deleted, false if labels are left, and nil if there is no such plan.
    func deletePlan(_ name: String, of app: App.ID, limit: Int) async throws -> Bool?
    /// Counts pushes that are about to be stored as pushes of their plans. A label whose push was not stored has no effect on reports.
    func label(_ pushes: [(message: MessageID, plan: String)], of app: App.ID, at date: Date) async throws
    /// Returns the latest pushes of a plan, the newest first.
    func messages(ofPlan name: String, of app: App.ID, limit: Int) async throws -> [MessageID]
}

/// The topics of apps, the devices that decline them, and the pushes that each has got of them.
package protocol TopicStore: Sendable {
    /// Returns the topics of an app, by name.
    func topics(of app: App.ID) async throws -> [PushTopic]
    /// Replaces the topics of an app.
    func setTopics(_ topics: [PushTopic], of app: App.ID) async throws
    /// Returns the topics that a device declines, by name.
    func declinedTopics(of device: DeviceID) async throws -> [String]
    /// Replaces the topics that a device declines, and writes an event of a change if the events of its app are kept.
    func setDeclinedTopics(_ names: [String], of device: DeviceID, at date: Date) async throws
    /// Counts a push of a topic for the devices that get it, unless it is a forecast; the last one of a device is not counted again.
    ///
    /// - Returns: why the others do not get it.
    func restrain(_ push: TopicPush) async throws -> [DeviceOrdinal: SuppressionReason]
    /// Takes back what ``restrain(_:)`` has counted, for devices that do not get the push after all: where it is the last push that was
    /// counted, or was counted in the period of the device's time.
    func release(_ push: TopicPush) async throws
}

/// A push of a topic that is about to be sent to devices.
package struct TopicPush: Sendable {
    package var app: App.ID
    package var topic: String
    package var message: MessageID
    /// Whether it is of the class `immediate`.
    package var isImmediate: Bool
    /// Whether it is a retry, which was counted before.
    package var isRetry: Bool
    /// Whether it is the in-app message of a push that is counted when its notification is sent.
    package var isCopy: Bool
    /// Whether the push is only asked about, so that nothing is counted.
    package var isForecast = false
    /// The local times of the devices, in seconds since 1970 plus the offset of their zones.
    package var times: [DeviceOrdinal: Int64]

    package init(
        app: App.ID,
        topic: String,
        message: MessageID,
        isImmediate: Bool,
        isRetry: Bool = false,
        isCopy: Bool = false,
        times: [DeviceOrdinal: Int64]
    ) {
        self.app = app
        self.topic = topic
        self.message = message
        self.isImmediate = isImmediate
        self.isRetry = isRetry
        self.isCopy = isCopy
        self.times = times
    }
}

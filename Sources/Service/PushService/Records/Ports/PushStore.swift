package import Foundation

/// The durable state of the service. When a method returns, its changes are on disk.
///
/// A type of the service depends only on the roles that it uses. Every implementation passes the suite `PushStoreContract`.
package protocol PushStore:
    AcceptStore, AppStore, AudienceFileStore, AudienceStore, AuditStore, CallbackStore, CredentialEnvironments,
    CredentialStore,
    CustomMessageStore, DeveloperStore, DeviceImportStore, DeviceStore, DispatchStore, DueTimeStore, GroupStore,
    EventStore, HolderStore, JourneyStore, KeyValueStore, MessageStore, PlanStore, ReportStore, RetentionStore,
    ScheduleStore,
    TemplateStore, TopicStore, UserStore
{}

/// Values by key.
package protocol KeyValueStore: Sendable {
    func value(_ key: String) async throws -> [UInt8]?
    func setValue(_ value: [UInt8], for key: String) async throws
    /// Stores a value unless there is one for the key; returns the value that the store has afterwards.
    func setDefault(_ value: [UInt8], for key: String) async throws -> [UInt8]
}

/// The due times of chunks, pauses and callbacks.
package protocol DueTimeStore: Sendable {
    /// Adjusts due times after the clock was set back by `seconds` to `now`: later times move forward by as much, and work that was
    /// already due stays due.
    func bringForward(by seconds: TimeInterval, at now: Date) async throws
}

/// The durable state of the service. When a method returns, its changes are on disk.
///
/// A type of the service depends only on the roles that it uses. Every implementation passes the suite `PushStoreContract`.
package protocol PushStore:
    AcceptStore, AppStore, AudienceFileStore, AudienceStore, AuditStore, CallbackStore, CredentialEnvironments,
    CredentialStore,
    CustomMessageStore, DeveloperStore, DeviceImportStore, DeviceStore, DispatchStore, DueTimeStore, GroupStore,
    EventStore, JourneyStore, KeyValueStore, MessageStore, PlanStore, ReportStore, RetentionStore, ScheduleStore,
    TemplateStore, TopicStore, UserStore
{}

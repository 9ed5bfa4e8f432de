package import Foundation
package import PushModel

/// The durable truth. What a method has returned from is on disk.
///
/// Every implementation passes the suite `PushStoreContract`.
package protocol PushStore: ReportStore, RetentionStore, DeveloperStore, LinkStore {
    // Apps
    func apps() async throws -> [App]
    /// A value that changes whenever the apps may have changed: because another process has written, or because this one has
    /// created, changed or deleted an app. Reads nothing from the disk.
    func appsVersion() async throws -> AppsVersion
    /// - Throws: ``StoreError/duplicate`` if the key is taken.
    func createApp(_ draft: App) async throws -> App
    /// Nil for none.
    func setQuietHours(_ hours: QuietHours?, of app: App.ID) async throws
    /// What is kept for the app is sealed.
    func credential(of app: App.ID) async throws -> SealedCredential?
    /// Replaces the app's credential and lifts its pauses.
    func setCredential(_ credential: SealedCredential, of app: App.ID) async throws
    /// One transaction: what was sealed before seals were bound to their places is replaced by what `bind` makes of it; what it makes
    /// nothing of stays.
    func bindSeals(_ bind: @escaping @Sendable (_ sealed: [UInt8], _ place: SealedPlace) -> [UInt8]?) async throws

    // Groups of apps
    func groups() async throws -> [AppGroup]
    func group(_ key: GroupKey) async throws -> AppGroup?
    /// - Throws: ``StoreError/duplicate`` if the key is taken.
    func createGroup(_ draft: AppGroup) async throws -> AppGroup
    /// An app that is in the group already, or is not, changes nothing.
    func changeGroup(_ id: AppGroup.ID, adding added: [App.ID], removing removed: [App.ID]) async throws
    /// Its pushes stay.
    ///
    /// - Returns: whether there was one.
    func deleteGroup(_ id: AppGroup.ID) async throws -> Bool
    /// The push with this `group_msgid`.
    func groupPush(_ id: String, of group: AppGroup.ID) async throws -> GroupPush?
    /// The group's push that had this cid since `date`.
    func groupPush(ofCID cid: String, of group: AppGroup.ID, since date: Date) async throws -> GroupPush?
    /// One transaction: a push to a group, and what its apps have of it.
    ///
    /// - Returns: an earlier push of the group with the same cid since `cidsSince`, in which case nothing was kept.
    func accept(_ groupPush: GroupPush, _ pushes: [PreparedPush], cidsSince: Date) async throws -> GroupPush?
    /// One transaction: a push to everybody more on this day, unless there were `limit` of the app already.
    ///
    /// - Returns: whether there is one more.
    func countBroadcast(of app: App.ID, day: Int, limit: Int) async throws -> Bool
    /// One transaction: a push to everybody less on this day, as it was not kept.
    func returnBroadcast(of app: App.ID, day: Int) async throws

    // Files of aliases and registration ids. One whose time is over does not count.
    /// - Returns: false if the owner has `limit` others, in which case nothing was kept.
    func createFile(_ file: AudienceFile, _ content: [UInt8], limit: Int) async throws -> Bool
    /// In the order of their creation.
    func files(of owner: String, at now: Date) async throws -> [AudienceFile]
    func file(_ id: String, of owners: [String], at now: Date) async throws -> AudienceFile?
    func content(ofFile id: String) async throws -> [UInt8]?
    /// - Returns: whether there was one.
    func deleteFile(_ id: String, of owner: String, at now: Date) async throws -> Bool

    // Devices
    /// What the registry keeps of all devices of all apps, in parts of which several may come at the same time; read once at
    /// start.
    func audience(_ each: @escaping @Sendable (AudienceRows) -> Void) async throws
    /// All devices of all apps.
    func devices(_ each: @escaping @Sendable (Device) -> Void) async throws
    /// The device of this installation, made if there is none; `change` says what is new about it.
    ///
    /// `note`: counts the device in the same transaction, and one that was made as new.
    func registerDevice(
        app: App.ID,
        installation: String,
        note: UseNote?,
        make: @escaping @Sendable (DeviceOrdinal) -> Device,
        change: @escaping @Sendable (inout Device) -> Void
    ) async throws -> Device
    /// `note`: counts the device in the same transaction.
    /// - Returns: the device after the change; nil if there is none.
    func updateDevice(
        _ id: DeviceID,
        note: UseNote?,
        _ change: @escaping @Sendable (inout Device) -> Void
    ) async throws -> Device?
    /// One transaction for many devices of an app, and for the tags that stay known without a device from then on.
    ///
    /// A device that is not there is passed over; one that `change` leaves as it is costs no write.
    /// - Returns: every device that changed.
    /// - Throws: what `change` throws; then nothing has changed.
    func updateDevices(
        _ ordinals: [DeviceOrdinal],
        of app: App.ID,
        keepingTags tags: [String],
        _ change: @escaping @Sendable (inout Device) throws -> Void
    ) async throws
        -> [Device]
    /// The tags that stay known without a device, read once at start.
    func keptTags(_ each: @escaping @Sendable (App.ID, [String]) -> Void) async throws
    /// The tag is known from then on only while a device has it.
    func forgetTag(_ tag: String, of app: App.ID) async throws
    /// Has pushes go again to devices whose tokens were refused, as many as `limit`, in the order of their ordinals.
    ///
    /// - Returns: the devices.
    func forgetRefusals(of app: App.ID, after last: DeviceOrdinal?, limit: Int) async throws -> [Device]
    /// Gives a token to a device and takes it from any other of the app. What was imported for the token, registration ids
    /// among it, is the device's from then on, unless an app has registered as the device that had it: ids stay with whoever has a
    /// secret.
    ///
    /// - Returns: every device that changed.
    func setToken(
        _ token: DeviceToken,
        _ environment: APNSEnvironment,
        of id: DeviceID,
        at date: Date
    ) async throws
        -> [Device]
    func device(_ id: DeviceID) async throws -> Device?
    /// The devices with these ordinals, in the order of `ordinals`; missing ones are left out.
    func devices(_ ordinals: [DeviceOrdinal], of app: App.ID) async throws -> [Device]
    /// Up to `limit` devices of an app from an ordinal on, in rising order.
    func devices(of app: App.ID, from start: DeviceOrdinal, limit: Int) async throws -> [Device]

    // Devices of others
    /// One transaction: takes in devices as a file tells of them. A registration id stays with the token that it came with,
    /// and a token belongs to one device; of rows that are about the same one the last counts. A device as which an app has
    /// registered stays as it is.
    ///
    /// `rows`: with the ordinal of the device that has an id of the service's own making, if the row's is one.
    /// `environment`: of rows that say none.
    /// `installation`: a text that nobody can guess, from which devices that are made get their installations.
    func importDevices(
        _ rows: [(row: DeviceImport, own: DeviceOrdinal?)],
        of app: App.ID,
        environment: APNSEnvironment,
        installation: String,
        seenAt date: Date
    ) async throws -> ImportResult
    /// All of them, read once at start, some at a time.
    func importedIDs(_ each: @escaping @Sendable ([ImportedID]) -> Void) async throws
    func importedIDs(of device: DeviceID) async throws -> [ImportedID]
    func importedID(_ id: RegistrationID, of app: App.ID) async throws -> ImportedID?

    // Messages
    /// The first of that many message ids, none of which was or will be given to anybody else, or lies before `floor`.
    func reserveMessageIDs(_ count: Int64, notBefore floor: MessageID) async throws -> MessageID
    /// The answers that pushes with these cids had since `date`, in the order of the cids.
    func results(ofCIDs cids: [String], app: App.ID, since date: Date) async throws -> [PushResult?]
    /// Whether the app has sent this message since `date`.
    func knowsMessage(_ id: MessageID, app: App.ID, since date: Date) async throws -> Bool
    /// How many of the app's messages still have paced chunks to send.
    func pacedMessages(of app: App.ID) async throws -> Int
    /// One transaction: ends what is left of a message that the app has sent since `date`; what a worker has under way it finds
    /// out at its next checkpoint.
    ///
    /// - Returns: the chunks that ended and that nobody has under way, as they were; nil if there is no such message.
    func withdraw(_ id: MessageID, of app: App.ID, since date: Date, at now: Date) async throws -> [Chunk]?
    /// One transaction for all: each message, its chunks and its cid; those that can lie together in batches, before the others.
    ///
    /// * `reply`: hears what has come of them when they are on disk, in the order of the commits. It is called by the thread
    ///   that writes and must not wait.
    func accept(
        _ batches: [MessageBatch],
        _ pushes: [PreparedPush],
        cidsSince: Date,
        reply: @escaping @Sendable (Result<KeptPushes, any Error>) -> Void
    )

    // Work
    /// Gives back everything that `owner` has leased, as after a crash.
    func releaseLeases(of owner: LeaseOwner) async throws
    /// Gives back what others have leased and not renewed in time.
    func reclaimLeases(besides owner: LeaseOwner, at now: Date) async throws
    /// Puts off the expiry of everything that an owner has leased.
    func renewLeases(_ claim: LeaseClaim) async throws
    /// Takes up what is due in a lane, in its order, up to so many devices, or one chunk; none of the chunks holds a device of
    /// another, or one of `underWay`. After a pause it takes one chunk alone.
    ///
    /// - Returns: nil if there is nothing to take up, the lane is paused, or another owner has leased in it. Each lease has a
    ///   greater fencing number than those of the chunk before.
    func lease(
        _ lane: Lane,
        at now: Date,
        _ claim: LeaseClaim,
        devices: Int,
        besides underWay: [OrdinalList]
    ) async throws -> Lease?
    /// The lanes in which something waits that `owner` may take up.
    func waiting(for owner: LeaseOwner, at now: Date) async throws -> [WaitingLane]
    /// One transaction: the badges of a step and how far they reach.
    ///
    /// - Returns: every device that changed.
    func prepareBadges(_ badges: [PreparedBadges], app: App.ID) async throws -> [Device]
    /// One transaction: where chunks have come to, what went wrong on the way, whose token is dead, and whether the app pauses.
    ///
    /// What is said under a lease that is no longer the owner's is not kept. Of what could not be decided a chunk of its own is
    /// made, which is due by itself.
    func checkpoint(_ checkpoint: Checkpoint, _ claim: LeaseClaim) async throws -> CheckpointResult
    func resume(_ app: App.ID, _ environment: APNSEnvironment) async throws

    // Schedules
    /// One transaction: the schedule and its cid, unless the app has `limit` others with a firing to come.
    func createSchedule(_ record: ScheduleRecord, cid: ScheduleCID?, limit: Int) async throws -> ScheduleCreation
    /// The app's schedules with a firing to come, in the order of their creation, and how many there are.
    func schedules(of app: App.ID, offset: Int, limit: Int) async throws -> (total: Int, page: [ScheduleRecord])
    func schedule(_ id: UUID, of app: App.ID) async throws -> ScheduleRecord?
    /// - Returns: the schedule after the change; nil if there is none.
    /// - Throws: what `change` throws, in which case nothing changed.
    func updateSchedule(
        _ id: UUID,
        of app: App.ID,
        _ change: @escaping @Sendable (inout ScheduleRecord) throws -> Void
    ) async throws -> ScheduleRecord?
    /// Deletes the schedule with its firings.
    ///
    /// - Returns: whether there was one.
    func deleteSchedule(_ id: UUID, of app: App.ID) async throws -> Bool
    /// What has come of the schedule's firings, in their order.
    func firings(of id: UUID) async throws -> [ScheduleFiring]
    /// The schedules that have been due for longest, of all apps.
    func dueSchedules(at now: Date, limit: Int) async throws -> [ScheduleRecord]
    /// The pushes that came of firings before, by what names the firings.
    func results(ofFirings firings: [(key: String, app: App.ID)]) async throws -> [PushResult?]
    /// When the next schedule falls due.
    func nextScheduleDue() async throws -> Date?
    /// One transaction: notes the firings, each once for its `dueAt`, and moves each schedule on unless it has changed since it
    /// was read. Does nothing for a schedule that was deleted.
    func moveOn(_ steps: [ScheduleStep]) async throws

    // Journeys
    func record(_ events: [JourneyException]) async throws
    /// What is known of a message and a device; nil if there is no such message.
    func journey(of message: MessageID, to ordinal: DeviceOrdinal) async throws -> JourneyFacts?

    // Small things by name
    func value(_ key: String) async throws -> [UInt8]?
    func setValue(_ value: [UInt8], for key: String) async throws
}

extension PushStore {
    /// The answer that a push with this cid had since `date`.
    package func result(ofCID cid: String, app: App.ID, since date: Date) async throws -> PushResult? {
        try await results(ofCIDs: [cid], app: app, since: date).first ?? nil
    }
    /// When something that waits can be taken up; nil if nothing waits.
    package func nextDue() async throws -> Date? {
        try await waiting(for: .onlyNode, at: .distantFuture).map(\.startsAt).min()
    }

    /// Without counting it among the app's users.
    package func registerDevice(
        app: App.ID,
        installation: String,
        make: @escaping @Sendable (DeviceOrdinal) -> Device,
        change: @escaping @Sendable (inout Device) -> Void
    ) async throws -> Device {
        try await registerDevice(app: app, installation: installation, note: nil, make: make, change: change)
    }

    /// Without counting it among the app's users.
    package func updateDevice(
        _ id: DeviceID,
        _ change: @escaping @Sendable (inout Device) -> Void
    ) async throws -> Device? {
        try await updateDevice(id, note: nil, change)
    }
}

extension PushStore {
    /// The schedule that has been due for longest.
    package func dueSchedule(at now: Date) async throws -> ScheduleRecord? {
        try await dueSchedules(at: now, limit: 1).first
    }

    package func moveOn(_ record: ScheduleRecord, firing: ScheduleFiring?, to next: Date?) async throws {
        try await moveOn([ScheduleStep(record: record, firing: firing, next: next)])
    }
}

/// The state of a store's apps: equal as long as no app can have been added or changed.
package struct AppsVersion: Hashable, Sendable {
    /// Grows with each commit of another process.
    package var others: Int64
    /// Grows with each change of an app by this process.
    package var own: Int

    package init(others: Int64, own: Int) {
        self.others = others
        self.own = own
    }
}

package struct SealedCredential: Hashable, Sendable {
    package var keyID: String
    package var teamID: String
    package var sealedPrivateKey: [UInt8]

    package init(keyID: String, teamID: String, sealedPrivateKey: [UInt8]) {
        self.keyID = keyID
        self.teamID = teamID
        self.sealedPrivateKey = sealedPrivateKey
    }
}

/// An event of one message and one device that was not plain success, or came from beyond the service.
package struct JourneyException: Hashable, Sendable {
    package var message: MessageID
    package var ordinal: DeviceOrdinal
    package var event: JourneyEvent

    package init(message: MessageID, ordinal: DeviceOrdinal, event: JourneyEvent) {
        self.message = message
        self.ordinal = ordinal
        self.event = event
    }
}

/// The badges of the devices of one chunk before they are sent to.
package struct PreparedBadges: Sendable {
    package var chunk: Chunk.ID
    /// Of the lease; under another one nothing is written.
    package var fence: Int64
    package var badges: [(DeviceOrdinal, Int)]
    /// The badges of all devices before this place are in the registry then.
    package var prepared: Int

    package init(_ chunk: Chunk, badges: [(DeviceOrdinal, Int)], prepared: Int) {
        self.chunk = chunk.id
        fence = chunk.fence
        self.badges = badges
        self.prepared = prepared
    }
}

/// A token to which APNs takes no push; unless the device has registered after `since` it is sent to no more.
package struct RefusedToken: Hashable, Sendable {
    package var device: DeviceID
    package var token: DeviceToken
    package var reason: APNSReason
    package var since: Date

    package init(device: DeviceID, token: DeviceToken, reason: APNSReason, since: Date) {
        self.device = device
        self.token = token
        self.reason = reason
        self.since = since
    }
}

package struct Pause: Hashable, Sendable {
    package var reason: PauseReason
    /// What APNs said, for a person.
    package var detail: String
    package var until: Date

    package init(reason: PauseReason, detail: String, until: Date) {
        self.reason = reason
        self.detail = detail
        self.until = until
    }
}

extension PushStore {
    /// The same, for who can wait for the disk.
    package func accept(
        _ batches: [MessageBatch],
        _ pushes: [PreparedPush],
        cidsSince: Date
    ) async throws -> KeptPushes {
        try await withCheckedThrowingContinuation { continuation in
            accept(batches, pushes, cidsSince: cidsSince) { continuation.resume(with: $0) }
        }
    }

    package func accept(_ pushes: [PreparedPush], cidsSince: Date) async throws -> [PushResult?] {
        try await accept([], pushes, cidsSince: cidsSince).single
    }
}

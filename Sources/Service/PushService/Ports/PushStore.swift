package import Foundation
package import PushModel

/// The durable state of the service. When a method returns, its changes are on disk.
///
/// Every implementation passes the suite `PushStoreContract`.
package protocol PushStore: ReportStore, RetentionStore, DeveloperStore, LinkStore {
    // Apps
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
    /// Returns the app's credential, which is stored sealed.
    func credential(of app: App.ID) async throws -> SealedCredential?
    /// Replaces the app's credential and lifts its pauses.
    func setCredential(_ credential: SealedCredential, of app: App.ID) async throws
    /// Replaces seals that are not bound to their place with the result of `bind`, in one transaction; where that is nil, the seal
    /// stays.
    func bindSeals(_ bind: @escaping @Sendable (_ sealed: [UInt8], _ place: SealedPlace) -> [UInt8]?) async throws

    // Groups of apps
    func groups() async throws -> [AppGroup]
    func group(_ key: GroupKey) async throws -> AppGroup?
    /// Creates a group.
    ///
    /// - Throws: ``StoreError/duplicate`` if the key is taken.
    func createGroup(_ draft: AppGroup) async throws -> AppGroup
    /// Adds and removes apps; adding a member or removing another app changes nothing.
    func changeGroup(_ id: AppGroup.ID, adding added: [App.ID], removing removed: [App.ID]) async throws
    /// Deletes a group; its pushes stay.
    ///
    /// - Returns: whether there was one.
    func deleteGroup(_ id: AppGroup.ID) async throws -> Bool
    /// Returns the push with this `group_msgid`.
    func groupPush(_ id: String, of group: AppGroup.ID) async throws -> GroupPush?
    /// Returns the group's push that has used this cid since `date`.
    func groupPush(ofCID cid: String, of group: AppGroup.ID, since date: Date) async throws -> GroupPush?
    /// Stores a push to a group and the pushes of its apps, in one transaction.
    ///
    /// - Returns: an earlier push of the group with the same cid since `cidsSince`, in which case nothing was stored.
    func accept(_ groupPush: GroupPush, _ pushes: [PreparedPush], cidsSince: Date) async throws -> GroupPush?
    /// Counts one more broadcast on this day in one transaction, unless the app already has `limit`.
    ///
    /// - Returns: whether it was counted.
    func countBroadcast(of app: App.ID, day: Int, limit: Int) async throws -> Bool
    /// Subtracts a broadcast that was not stored from this day's count, in one transaction.
    func returnBroadcast(of app: App.ID, day: Int) async throws

    // Files of aliases and registration ids. Expired files do not count.
    /// Stores a file.
    ///
    /// - Returns: false if the owner has `limit` others, in which case nothing was stored.
    func createFile(_ file: AudienceFile, _ content: [UInt8], limit: Int) async throws -> Bool
    /// Returns the owner's files in order of creation.
    func files(of owner: String, at now: Date) async throws -> [AudienceFile]
    func file(_ id: String, of owners: [String], at now: Date) async throws -> AudienceFile?
    func content(ofFile id: String) async throws -> [UInt8]?
    /// Deletes a file.
    ///
    /// - Returns: whether there was one.
    func deleteFile(_ id: String, of owner: String, at now: Date) async throws -> Bool

    // Devices
    /// Reads the registry's data on all devices of all apps, in parts, several of which may be passed concurrently. Called once at
    /// start.
    func audience(_ each: @escaping @Sendable (AudienceRows) -> Void) async throws
    /// Reads all devices of all apps.
    func devices(_ each: @escaping @Sendable (Device) -> Void) async throws
    /// Returns the device of this installation, created if there is none, after `change`.
    ///
    /// `note` counts the device in the same transaction, and a created one as new.
    func registerDevice(
        app: App.ID,
        installation: String,
        note: UseNote?,
        make: @escaping @Sendable (DeviceOrdinal) -> Device,
        change: @escaping @Sendable (inout Device) -> Void
    ) async throws -> Device
    /// Changes a device; `note` counts it in the same transaction.
    /// - Returns: the device after the change; nil if there is none.
    func updateDevice(
        _ id: DeviceID,
        note: UseNote?,
        _ change: @escaping @Sendable (inout Device) -> Void
    ) async throws -> Device?
    /// Changes many devices of an app in one transaction, and adds tags that stay known without a device.
    ///
    /// Missing devices are skipped; devices that `change` leaves unchanged cost no write.
    /// - Returns: every device that changed.
    /// - Throws: the error of `change`; then nothing has changed.
    func updateDevices(
        _ ordinals: [DeviceOrdinal],
        of app: App.ID,
        keepingTags tags: [String],
        _ change: @escaping @Sendable (inout Device) throws -> Void
    ) async throws
        -> [Device]
    /// Reads the tags that stay known without a device. Called once at start.
    func keptTags(_ each: @escaping @Sendable (App.ID, [String]) -> Void) async throws
    /// Keeps the tag only as long as a device has it.
    func forgetTag(_ tag: String, of app: App.ID) async throws
    /// Resumes pushes to up to `limit` devices whose tokens were refused, in the order of their ordinals.
    ///
    /// - Returns: the devices.
    func forgetRefusals(of app: App.ID, after last: DeviceOrdinal?, limit: Int) async throws -> [Device]
    /// Gives a token to a device and takes it from any other of the app. Data imported for the token, including registration ids,
    /// moves to the device, unless an app has registered as the previous device: ids stay with the device that has a secret.
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
    /// Returns the devices with these ordinals, in the order of `ordinals`, without missing ones.
    func devices(_ ordinals: [DeviceOrdinal], of app: App.ID) async throws -> [Device]
    /// Returns up to `limit` devices of an app from an ordinal on, in ascending order.
    func devices(of app: App.ID, from start: DeviceOrdinal, limit: Int) async throws -> [Device]

    // Imported devices
    /// Imports devices from the rows of a file, in one transaction. A registration id stays with the token that it came with, and a
    /// token belongs to one device; of several rows about the same one the last counts. A device as which an app has registered
    /// stays unchanged.
    ///
    /// * `rows`: each with the ordinal of the device whose own id the row has, if it is one that the service created.
    /// * `environment`: the environment of rows that name none.
    /// * `installation`: an unguessable text from which created devices get their installations.
    func importDevices(
        _ rows: [(row: DeviceImport, own: DeviceOrdinal?)],
        of app: App.ID,
        environment: APNSEnvironment,
        installation: String,
        seenAt date: Date
    ) async throws -> ImportResult
    /// Reads all imported ids in parts. Called once at start.
    func importedIDs(_ each: @escaping @Sendable ([ImportedID]) -> Void) async throws
    func importedIDs(of device: DeviceID) async throws -> [ImportedID]
    func importedID(_ id: RegistrationID, of app: App.ID) async throws -> ImportedID?

    // Messages
    /// Reserves `count` message ids and returns the first. None of them is ever given out again or precedes `floor`.
    func reserveMessageIDs(_ count: Int64, notBefore floor: MessageID) async throws -> MessageID
    /// Returns the answers to pushes with these cids since `date`, in the order of the cids.
    func results(ofCIDs cids: [String], app: App.ID, since date: Date) async throws -> [PushResult?]
    /// Returns whether the app has sent this message since `date`.
    func knowsMessage(_ id: MessageID, app: App.ID, since date: Date) async throws -> Bool
    /// Returns the number of the app's messages that still have paced chunks to send.
    func pacedMessages(of app: App.ID) async throws -> Int
    /// Ends the rest of a message that the app has sent since `date`, in one transaction; workers find out at their next
    /// checkpoint.
    ///
    /// - Returns: the previous state of the ended chunks that no worker holds; nil if there is no such message.
    func withdraw(_ id: MessageID, of app: App.ID, since date: Date, at now: Date) async throws -> [Chunk]?
    /// Stores messages, their chunks and cids in one transaction; `batches` come before the others.
    ///
    /// * `reply`: receives the results when they are on disk, in the order of the commits. It is called by the writing thread and
    ///   must not block.
    func accept(
        _ batches: [MessageBatch],
        _ pushes: [PreparedPush],
        cidsSince: Date,
        reply: @escaping @Sendable (Result<KeptPushes, any Error>) -> Void
    )

    // Work
    /// Releases all leases of `owner`, as after a crash.
    func releaseLeases(of owner: LeaseOwner) async throws
    /// Releases expired leases of other owners.
    func reclaimLeases(besides owner: LeaseOwner, at now: Date) async throws
    /// Extends all leases of an owner.
    func renewLeases(_ claim: LeaseClaim) async throws
    /// Leases due chunks of a lane, in order, for up to `devices` devices, or one chunk. None of them shares a device with another,
    /// or with `underWay`. After a pause it leases a single chunk.
    ///
    /// - Returns: nil if nothing is due, the lane is paused, or another owner has a lease in it. Each lease has a greater fencing
    ///   number than the previous ones of its chunk.
    func lease(
        _ lane: Lane,
        at now: Date,
        _ claim: LeaseClaim,
        devices: Int,
        besides underWay: [OrdinalList]
    ) async throws -> Lease?
    /// Returns the lanes with waiting chunks that `owner` may lease.
    func waiting(for owner: LeaseOwner, at now: Date) async throws -> [WaitingLane]
    /// Stores the badges of a step and how far they reach, in one transaction.
    ///
    /// - Returns: every device that changed.
    func prepareBadges(_ badges: [PreparedBadges], app: App.ID) async throws -> [Device]
    /// Stores the progress of chunks, failures, invalid tokens and a pause of the app, in one transaction.
    ///
    /// Progress under a lease that the owner has lost is not stored. Undecided pushes become a chunk of their own with its own due
    /// time.
    func checkpoint(_ checkpoint: Checkpoint, _ claim: LeaseClaim) async throws -> CheckpointResult
    func resume(_ app: App.ID, _ environment: APNSEnvironment) async throws

    // Schedules
    /// Stores the schedule and its cid in one transaction, unless the app has `limit` others with a firing to come.
    func createSchedule(_ record: ScheduleRecord, cid: ScheduleCID?, limit: Int) async throws -> ScheduleCreation
    /// Returns the app's schedules with a firing to come, in order of creation, and their total number.
    func schedules(of app: App.ID, offset: Int, limit: Int) async throws -> (total: Int, page: [ScheduleRecord])
    func schedule(_ id: UUID, of app: App.ID) async throws -> ScheduleRecord?
    /// Changes a schedule.
    ///
    /// - Returns: the schedule after the change; nil if there is none.
    /// - Throws: the error of `change`, in which case nothing changed.
    func updateSchedule(
        _ id: UUID,
        of app: App.ID,
        _ change: @escaping @Sendable (inout ScheduleRecord) throws -> Void
    ) async throws -> ScheduleRecord?
    /// Deletes the schedule with its firings.
    ///
    /// - Returns: whether there was one.
    func deleteSchedule(_ id: UUID, of app: App.ID) async throws -> Bool
    /// Returns the results of the schedule's firings, in order.
    func firings(of id: UUID) async throws -> [ScheduleFiring]
    /// Returns the schedules that have been due for longest, of all apps.
    func dueSchedules(at now: Date, limit: Int) async throws -> [ScheduleRecord]
    /// Returns the pushes of earlier firings, by their keys.
    func results(ofFirings firings: [(key: String, app: App.ID)]) async throws -> [PushResult?]
    /// Returns when the next schedule is due.
    func nextScheduleDue() async throws -> Date?
    /// Stores the firings, each once for its `dueAt`, and advances each schedule unless it has changed since it was read, in one
    /// transaction. Does nothing for a deleted schedule.
    func moveOn(_ steps: [ScheduleStep]) async throws

    // Journeys
    func record(_ events: [JourneyException]) async throws
    /// Returns the store's data on a message and a device; nil if there is no such message.
    func journey(of message: MessageID, to ordinal: DeviceOrdinal) async throws -> JourneyFacts?

    // Values by key
    func value(_ key: String) async throws -> [UInt8]?
    func setValue(_ value: [UInt8], for key: String) async throws
}

extension PushStore {
    /// Returns the answer to a push with this cid since `date`.
    package func result(ofCID cid: String, app: App.ID, since date: Date) async throws -> PushResult? {
        try await results(ofCIDs: [cid], app: app, since: date).first ?? nil
    }
    /// Returns when the next waiting chunk can be leased; nil if none waits.
    package func nextDue() async throws -> Date? {
        try await waiting(for: .onlyNode, at: .distantFuture).map(\.startsAt).min()
    }

    /// Registers a device without counting it among the app's users.
    package func registerDevice(
        app: App.ID,
        installation: String,
        make: @escaping @Sendable (DeviceOrdinal) -> Device,
        change: @escaping @Sendable (inout Device) -> Void
    ) async throws -> Device {
        try await registerDevice(app: app, installation: installation, note: nil, make: make, change: change)
    }

    /// Changes a device without counting it among the app's users.
    package func updateDevice(
        _ id: DeviceID,
        _ change: @escaping @Sendable (inout Device) -> Void
    ) async throws -> Device? {
        try await updateDevice(id, note: nil, change)
    }
}

extension PushStore {
    /// Returns the schedule that has been due for longest.
    package func dueSchedule(at now: Date) async throws -> ScheduleRecord? {
        try await dueSchedules(at: now, limit: 1).first
    }

    package func moveOn(_ record: ScheduleRecord, firing: ScheduleFiring?, to next: Date?) async throws {
        try await moveOn([ScheduleStep(record: record, firing: firing, next: next)])
    }
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

/// An event of one message on one device that was not plain success, or came from outside the service.
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

/// The badges for the devices of one chunk, stored before sending.
package struct PreparedBadges: Sendable {
    package var chunk: Chunk.ID
    /// The fencing number of the lease; under another one nothing is written.
    package var fence: Int64
    package var badges: [(DeviceOrdinal, Int)]
    /// The place before which all badges are then in the registry.
    package var prepared: Int

    package init(_ chunk: Chunk, badges: [(DeviceOrdinal, Int)], prepared: Int) {
        self.chunk = chunk.id
        fence = chunk.fence
        self.badges = badges
        self.prepared = prepared
    }
}

/// A token for which APNs refuses pushes; no more are sent to the device unless it has registered after `since`.
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
    /// APNs's response, for the log.
    package var detail: String
    package var until: Date

    package init(reason: PauseReason, detail: String, until: Date) {
        self.reason = reason
        self.detail = detail
        self.until = until
    }
}

extension PushStore {
    /// Stores messages and returns when they are on disk.
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

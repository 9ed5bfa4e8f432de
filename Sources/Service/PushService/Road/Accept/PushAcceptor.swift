import Foundation
import Logging
import PushClock
package import PushModel

/// Accepts pushes, the first stage of the pipeline: from a request body to a message on disk.
package struct PushAcceptor: Sendable {
    let store: any AcceptStore
    let registry: Registry
    let others: OtherNodes?
    let messageIDs: MessageIDSource
    let clock: any CivilClock
    let calendar: UseCalendar
    let trustedTime: TrustedTime
    let laneRegistry: LaneRegistry
    let router: MessageRouter
    let apnsIDs: APNSIDCodec
    /// Receives the service's own events; nil in `posthorn serve`.
    let observer: (any JourneySink)?
    let files: FileController
    let settings: Adjustable<ServiceSettings>
    let metrics: ServiceMetrics
    /// Whether the events of pushes are kept for their apps.
    let keepsEvents: Bool
    let logger: Logger

    /// Accepts a push, whose audience may or must be an uploaded file. When this returns, it is on disk.
    ///
    /// - Throws: ``JPushError`` for errors that the caller can fix.
    package func accept(_ body: [UInt8], for app: App, file: FileAudience = .refused) async throws -> PushResult {
        try await accept(try PushRequest(parsing: body, file: file), body, for: app)
    }

    /// Accepts a push with its body. When this returns, it is on disk.
    ///
    /// - Throws: ``JPushError`` for errors that the caller can fix.
    package func accept(_ request: PushRequest, _ body: [UInt8], for app: App) async throws -> PushResult {
        try app.check(request.options, body[...])
        if let cid = request.cid { try app.key.check(cid: cid) }
        let now = clock.date
        let cidsSince = cidsSince(now)
        if let cid = request.cid, let first = try await store.result(ofCID: cid, app: app.id, since: cidsSince) {
            return first
        }
        var push = try await prepare(request, body, for: app, filesOf: [app.key.text], at: now)
        try await countBroadcast(request, &push, of: app, at: now)
        try await label(push, request.options, of: app, at: now)
        return try await writeCounted([push], cidsSince: cidsSince)[0].earlier ?? complete(push)
    }

    /// Accepts pushes together, each with a result of its own. When this returns, those without an error are on disk.
    ///
    /// A lazy collection makes each body when its turn comes. Other requests run between two pushes.
    func accept(
        _ bodies: some Collection<Result<[UInt8], JPushError>>,
        for app: App
    ) async throws -> [Result<PushResult, JPushError>] {
        let now = clock.date
        var pushes: [PreparedPush] = []
        var errors: [JPushError?] = []
        for body in bodies {
            do {
                let body = try body.get()
                let request = try PushRequest(parsing: body, file: .allowed)
                try app.check(request.options, body[...])
                var push = try await prepare(request, body, for: app, filesOf: [app.key.text], at: now)
                try await countBroadcast(request, &push, of: app, at: now)
                try await label(push, request.options, of: app, at: now)
                pushes.append(push)
                errors.append(nil)
            } catch let error as JPushError { errors.append(error) }
            await Task.yield()
        }
        var written = try await write(pushes, at: now).makeIterator()
        return errors.map { error in
            if let error { return .failure(error) }
            return written.next().map { .success($0) } ?? .failure(.internalError())
        }
    }

    /// Prepares a push that the service itself sends, with a key in place of a cid, to devices in the time zones that are
    /// meant; nil stands for devices that have reported none. It may count as one of the app's broadcasts.
    func prepare(
        _ body: [UInt8],
        for app: App,
        key: String,
        at now: Date,
        isCounted: Bool = true,
        inZones isMeant: ((TimeZone?) -> Bool)? = nil
    ) async throws -> PreparedPush {
        var request = try PushRequest(parsing: body, file: .allowed)
        request.cid = key
        var push = try await prepare(request, body, for: app, filesOf: [app.key.text], inZones: isMeant, at: now)
        if isCounted { try await countBroadcast(request, &push, of: app, at: now) }
        try await label(push, request.options, of: app, at: now)
        return push
    }

    /// Writes pushes together, in order; one whose key was used before gets the earlier result.
    func write(_ pushes: [PreparedPush], at now: Date) async throws -> [PushResult] {
        guard !pushes.isEmpty else { return [] }
        let stored = try await writeCounted(pushes, cidsSince: cidsSince(now))
        return zip(pushes, stored).map { $1.earlier ?? complete($0) }
    }

    /// Writes pushes together; pushes that are not stored do not count as broadcasts of the app.
    private func writeCounted(_ pushes: [PreparedPush], cidsSince: Date) async throws -> [StoredPush] {
        do {
            let stored = try await write(pushes, cidsSince: cidsSince)
            await returnBroadcasts(zip(pushes, stored).filter { $1.earlier != nil }.map(\.0))
            return stored
        } catch {
            await returnBroadcasts(pushes, after: error)
            throw error
        }
    }

    /// Returns the start of the period in which cids are compared, for pushes accepted at `date`.
    func cidsSince(_ date: Date) -> Date {
        min(date, trustedTime.date).addingTimeInterval(-Double(JPushLimits.cidLifetime))
    }

    /// Performs the same checks as accepting a push, except for the limit on broadcasts, and returns the same answer.
    /// Nothing is stored or sent; a msg_id is used up.
    package func validate(_ request: PushRequest, _ body: [UInt8], for app: App) async throws -> PushResult {
        try app.check(request.options, body[...])
        if let cid = request.cid { try app.key.check(cid: cid) }
        return try await prepare(request, body, for: app, filesOf: [app.key.text], at: clock.date).result
    }

    /// Checks the options of a push and resolves its audience, which may be a file of one of the owners' keys, in the time
    /// zones that are meant.
    func prepare(
        _ request: PushRequest,
        _ body: [UInt8],
        for app: App,
        filesOf owners: [String],
        inZones isMeant: ((TimeZone?) -> Bool)? = nil,
        at now: Date
    ) async throws -> PreparedPush {
        let options = request.options
        try await check(options, of: app, at: now)
        let targets =
            if let file = request.fileID { try await files.targets(file, of: owners) } else { TargetList?.none }
        let id = try await messageIDs.take()
        var resolution = Resolution()
        if request.platforms.contains(.ios) {
            let environment = options.environment
            let date = trustedTime.date
            if targets == nil { try await others?.lookUp(request.audience, of: app.id, environment) }
            func resolve() -> Resolution {
                guard let targets else {
                    return registry.resolve(request.audience, of: app.id, environment: environment, at: date)
                }
                return registry.resolve(targets, of: app.id, environment: environment, at: date)
            }
            resolution = resolve()
            if resolution.isEmpty, let others {
                try await others.catchUp()
                resolution = resolve()
            }
        }
        if let key = request.channelKey {
            let base = request.liveActivityID == nil ? resolution : nil
            resolution = try await resolve(key, among: base, of: app.id, environment: options.environment)
        }
        if let isMeant { resolution = registry.filter(resolution, of: app.id, inZones: isMeant) }
        withhold(request, from: &resolution, file: targets, of: app)
        guard !resolution.reachesNobody(request.isForAPNs) else {
            let named = request.fileID == nil ? request.audience.segments : []
            let unknown = registry.unknownSegment(among: named, of: app.id)
            throw JPushError.noTarget(id, unknownSegment: unknown, isUnproved: !resolution.unproved.isEmpty)
        }
        var push = makePush(request, body, id: id, for: app, at: now, resolution)
        push.voip = [try await voipPush(of: request, body, for: app, at: now, among: resolution)].compactMap(\.self)
        return push
    }

    func makePush(
        _ request: PushRequest,
        _ body: [UInt8],
        id: MessageID,
        for app: App,
        at now: Date,
        _ resolution: Resolution
    ) -> PreparedPush {
        var message = Message(request, body, id: id, app: app, at: now)
        message.topic = TopicKind(of: request)
        let isPaced = request.options.pacedMinutes > 0
        if !request.options.isUnslowed || resolution.reachable.count > DeliveryClass.fewDevices {
            message.delivery = .bulk
        }
        let chunks = Chunking(of: resolution, message: message, request).chunks
        var push = PreparedPush(message: message, chunks: chunks, isPaced: isPaced)
        // Most pushes have no message, and the initializer takes a copy of the request.
        if request.linkMessage != nil { push.custom = CustomMessageDelivery.Content(request, of: id, in: chunks) }
        push.callback = request.callback
        push.isStreamed = keepsEvents
        push.isVoIP = request.channelKey?.channel == .voip
        return push
    }

    /// Counts a broadcast if there is a limit.
    ///
    /// - Throws: 2008 beyond the limit.
    func countBroadcast(_ request: PushRequest, _ push: inout PreparedPush, of app: App, at now: Date) async throws {
        guard request.audience == .all, let limit = settings.value.broadcastsPerDay else { return }
        let day = calendar.day(of: now)
        guard try await store.countBroadcast(of: app.id, day: day, limit: limit) else {
            throw JPushError.tooManyBroadcasts(limit)
        }
        push.broadcastDay = day
    }

    /// Counts pushes that are about to be written as pushes of their plans.
    func label(_ pushes: [(message: MessageID, plan: String)], of app: App, at now: Date) async throws {
        if !pushes.isEmpty { try await store.label(pushes, of: app.id, at: now) }
    }

    /// Counts a push that is about to be written as a push of its plan.
    func label(_ push: PreparedPush, _ options: PushOptions, of app: App, at now: Date) async throws {
        guard let plan = options.plan else { return }
        try await store.label([(push.message.id, plan)], of: app.id, at: now)
    }

    /// Reverts the count of those pushes that are broadcasts and were not stored, after an error, or because each repeats
    /// an earlier one.
    func returnBroadcasts(_ pushes: [PreparedPush], after error: (any Error)? = nil) async {
        // They may be stored, and then they count.
        if case StoreError.unknownOutcome? = error { return }
        for push in pushes {
            guard let day = push.broadcastDay else { continue }
            // If the disk accepts no writes at all, the app has one broadcast fewer on that day.
            try? await WriteBackpressure.$mayBeRefused.withValue(false) {
                try await store.returnBroadcast(of: push.message.app, day: day)
            }
        }
    }

    /// Checks the options that depend on the app's other pushes; `paced` is the number of paced pushes in the same request.
    func check(_ options: PushOptions, of app: App, at now: Date, besides paced: Int = 0) async throws {
        for rule in StoreRule.all where rule.concerns(options) {
            switch rule {
            case .overriddenMessage:
                guard let overridden = options.overriddenMessage else { continue }
                let day = now.addingTimeInterval(-86_400)
                guard try await store.knowsMessage(overridden, app: app.id, since: day) else {
                    throw JPushError.badValue("'options.override_msg_id' \(overridden) is not a push of the last day.")
                }
            case .plan:
                if let plan = options.plan, try await store.plan(plan, of: app.id) == nil {
                    throw JPushError.badValue(
                        "'options.business_operation_code' is '\(plan.prefix(80))', and there is no such push plan."
                    )
                }
            case .pacedPushes:
                guard try await store.pacedMessages(of: app.id) + paced < JPushLimits.pacedPushes else {
                    throw JPushError.tooManyPacedPushes(
                        "\(JPushLimits.pacedPushes) pushes with 'big_push_duration' are under way; wait for one to end."
                    )
                }
            }
        }
    }

    /// Completes a push that is on disk, except for delivering its custom message.
    @discardableResult
    func complete(_ push: PreparedPush) -> PushResult {
        if push.isDispatched { laneRegistry.wake(push.message.lane) }
        logAcceptance(of: push.message)
        observe(push.message, push.chunks)
        for voip in push.voip { complete(voip) }
        return push.result
    }

    /// Logs the ids of a push and of its request together, so that either leads to the other.
    private func logAcceptance(of message: Message) {
        guard logger.logLevel <= .debug else { return }
        for id in message.ids {
            var facts: Logger.Metadata = ["push.id": "\(id)"]
            if let origin = message.origin { facts["request.id"] = "\(origin.requestID)" }
            logger.debug("A push was accepted", metadata: facts)
        }
    }

    private func observe(_ message: Message, _ chunks: [Chunk]) {
        guard let observer else { return }
        for chunk in chunks where !chunk.kind.isForLinks {
            for ordinal in chunk.ordinals.ordinals {
                let id = message.id(to: ordinal)
                let subject = JourneySubject.push(apnsID: apnsIDs.apnsID(of: id, to: ordinal).text)
                for kind in chunk.kind.opening { observer.record(.service(kind, at: message.acceptedAt), of: subject) }
            }
        }
    }
}

extension App {
    /// Refuses a push for which there are warnings, if the push or its app is strict.
    func check(_ options: PushOptions, _ body: @autoclosure () -> ArraySlice<UInt8>) throws(JPushError) {
        if options.isStrict ?? isStrict { try PushWarning.refuse(body()) }
    }
}

extension Message {
    /// Creates the message of a push that is accepted now.
    init(_ request: PushRequest, _ body: [UInt8], id: MessageID, app: App, at now: Date) {
        self.init(
            id: id,
            app: app.id,
            acceptedAt: now,
            body: body,
            environment: request.options.environment,
            timeToLive: request.options.timeToLive,
            sendno: request.options.sendno,
            cid: request.cid
        )
        origin = RequestOrigin.current
    }
}

extension Chunk.Kind {
    /// The events at the beginning of every journey through such a chunk.
    var opening: [JourneyEvent.Kind] {
        switch self {
        case .send, .retry, .message, .inApp: [.accepted, .targeted]
        case .otherEnvironment: [.accepted, .targeted, .suppressed(.environment)]
        case .withoutToken: [.accepted, .targeted, .suppressed(.noToken)]
        case .refused: [.accepted, .targeted, .suppressed(.tokenRefused)]
        case .stopped: [.accepted, .targeted, .suppressed(.pushOff)]
        }
    }
}

/// A rule that compares a push with the app's other pushes, so that only the store can decide it.
///
/// ``PushAcceptor/check(_:of:at:besides:)`` checks the rules that concern a push. Direct pushes are only those that none
/// concerns, so a new rule applies to both.
enum StoreRule {
    /// `override_msg_id` must name a push of the last day.
    case overriddenMessage
    /// Few pushes with `big_push_duration` may be under way at a time.
    case pacedPushes
    /// `business_operation_code` must name a push plan of the app.
    case plan

    static let all: [Self] = [.overriddenMessage, .pacedPushes, .plan]

    func concerns(_ options: PushOptions) -> Bool {
        switch self {
        case .overriddenMessage: options.overriddenMessage != nil
        case .pacedPushes: options.pacedMinutes > 0
        case .plan: options.plan != nil
        }
    }
}

extension PushOptions {
    /// Whether the push is sent to all of its devices at once.
    var isUnslowed: Bool { pacedMinutes == 0 && rate == nil }

    /// Whether a rule applies that only the store can decide.
    var needsStore: Bool { StoreRule.all.contains { $0.concerns(self) } }
}

import Foundation
import Logging
import PushClock
package import PushModel

/// Accepts pushes, the first stage of the pipeline: from a request body to a message on disk.
package struct PushAcceptor: Sendable {
    let store: any AcceptStore & JourneyStore & MessageStore & ReportStore & TopicStore
    let registry: Registry
    let others: OtherNodes?
    let past: PastPushes
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
    let pace: SendPace
    let takeBacks: TakeBackTimes
    /// The time zone of devices that have reported none.
    let zone: TimeZone
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
        try app.check(request, body)
        let now = clock.date
        let cidsSince = cidsSince(now)
        if let cid = request.cid, let first = try await store.result(ofCID: cid, app: app.id, since: cidsSince) {
            return first
        }
        if request.options.undoes != nil { return try await replace(request, body, for: app, at: now) }
        let push = try await admit(request, body, for: app, at: now)
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
                try app.check(request, body)
                pushes.append(try await admit(request, body, for: app, at: now))
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
        try app.check(request, body)
        let now = clock.date
        try await checkUndone(request)
        let (request, body) = try await placed(request, body, for: app, at: now)
        return try await prepare(request, body, for: app, at: now).result
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

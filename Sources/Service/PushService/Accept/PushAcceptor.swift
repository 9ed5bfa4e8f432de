import Foundation
import PushClock
package import PushModel

/// The first stretch of the road: from a request body to a message on disk.
package struct PushAcceptor: Sendable {
    let store: any PushStore
    let registry: Registry
    let messageIDs: MessageIDSource
    let clock: any CivilClock
    let time: TrustedTime
    let laneRegistry: LaneRegistry
    let router: MessageRouter
    let apnsIDs: APNsIDCodec
    let observer: (any JourneySink)?
    let files: FileController
    let rules: AcceptRules

    /// Takes a push; `file`: whether its audience is an uploaded file. When this returns it is on disk.
    ///
    /// - Throws: ``JPushError`` for what the caller can mend.
    package func accept(
        _ body: [UInt8],
        for app: App,
        file: FileAudience = .refused
    ) async throws -> PushResult {
        let request = try PushRequest(parsing: body, file: file)
        if let cid = request.cid { try app.key.check(cid: cid) }
        return try await accept(request, body, for: app)
    }

    /// Prepares a push that the service itself sends.
    ///
    /// * `key`: names it in the place of a cid.
    /// * `isMeant`: leaves out the devices in other time zones; nil stands for that of a device that has told none.
    /// * `isCounted`: whether it counts among the app's pushes to everybody, if it is one.
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
        var push = try await prepare(
            request,
            body,
            for: app,
            filesOf: [app.key.text],
            inZones: isMeant,
            at: now
        )
        if isCounted { try await countBroadcast(request, &push, of: app, at: now) }
        return push
    }

    /// Writes pushes together, in the order in which they come; one whose key was used before is that push.
    func keep(_ pushes: [PreparedPush], at now: Date) async throws -> [PushResult] {
        guard !pushes.isEmpty else { return [] }
        let cidsSince = now.addingTimeInterval(-Double(JPushLimits.cidLifetime))
        let kept = try await keepCounted(pushes, cidsSince: cidsSince)
        return zip(pushes, kept.single).map { $1 ?? accepted($0) }
    }

    /// Writes pushes together; those that were not kept do not count among the app's pushes to everybody.
    private func keepCounted(_ pushes: [PreparedPush], cidsSince: Date) async throws -> KeptPushes {
        do {
            let kept = try await keep([], pushes, cidsSince: cidsSince)
            await returnBroadcasts(zip(pushes, kept.single).filter { $1 != nil }.map(\.0))
            return kept
        } catch {
            await returnBroadcasts(pushes)
            throw error
        }
    }

    private func accept(_ request: PushRequest, _ body: [UInt8], for app: App) async throws -> PushResult {
        let now = clock.date
        let cidsSince = cidsSince(now)
        if let cid = request.cid, let first = try await store.result(ofCID: cid, app: app.id, since: cidsSince) {
            return first
        }
        var push = try await prepare(
            request,
            body,
            for: app,
            filesOf: [app.key.text],
            at: now
        )
        try await countBroadcast(request, &push, of: app, at: now)
        return try await keepCounted([push], cidsSince: cidsSince).single[0] ?? accepted(push)
    }

    /// Since when cids count for pushes that are accepted at `date`.
    func cidsSince(_ date: Date) -> Date {
        min(date, time.date).addingTimeInterval(-Double(JPushLimits.cidLifetime))
    }

    /// The same checks and the same answer, and nothing is kept or sent.
    package func validate(_ body: [UInt8], for app: App) async throws -> PushResult {
        let request = try PushRequest(parsing: body)
        if let cid = request.cid { try app.key.check(cid: cid) }
        return try await prepare(request, body, for: app, filesOf: [app.key.text], at: clock.date).result
    }

    /// Finds out to whom a push goes.
    ///
    /// * `owners`: whose files may be its audience.
    /// * `isMeant`: leaves out the devices in other time zones.
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
            resolution =
                if let targets { registry.resolve(targets, of: app.id, environment: environment, at: time.date) } else {
                    registry.resolve(request.audience, of: app.id, environment: environment, at: time.date)
                }
        }
        if let isMeant { resolution = registry.keep(resolution, of: app.id, inZones: isMeant) }
        guard !resolution.isEmpty else { throw JPushError.noTarget(id) }
        return prepared(request, body, id: id, for: app, at: now, resolution)
    }

    func prepared(
        _ request: PushRequest,
        _ body: [UInt8],
        id: MessageID,
        for app: App,
        at now: Date,
        _ resolution: Resolution
    ) -> PreparedPush {
        var message = Message(request, body, id: id, app: app, at: now)
        let isPaced = request.options.pacedMinutes > 0
        let isSlowed = isPaced || request.options.rate != nil
        if isSlowed || resolution.reachable.count > DeliveryClass.fewDevices { message.delivery = .bulk }
        let chunks = Chunking(of: resolution, message: message, request).chunks
        var push = PreparedPush(message: message, chunks: chunks, isPaced: isPaced)
        push.custom = request.linkMessage
        return push
    }

    /// Counts a push to everybody, if there is a limit to them.
    ///
    /// - Throws: 2008 beyond it.
    func countBroadcast(
        _ request: PushRequest,
        _ push: inout PreparedPush,
        of app: App,
        at now: Date
    ) async throws {
        guard request.audience == .all, let limit = rules.broadcastsPerDay else { return }
        let day = rules.day(of: now)
        guard try await store.countBroadcast(of: app.id, day: day, limit: limit) else {
            throw JPushError.tooManyBroadcasts(limit)
        }
        push.broadcastDay = day
    }

    /// Takes back what was counted for pushes that were not kept.
    func returnBroadcasts(_ pushes: [PreparedPush]) async {
        for push in pushes {
            guard let day = push.broadcastDay else { continue }
            // Where the disk takes nothing at all the app has one less on that day.
            try? await WriteBackpressure.$mayBeRefused.withValue(false) {
                try await store.returnBroadcast(of: push.message.app, day: day)
            }
        }
    }

    /// What options ask of the app's other pushes; `paced`: how many paced ones come with this.
    func check(_ options: PushOptions, of app: App, at now: Date, besides paced: Int = 0) async throws {
        if let overridden = options.overriddenMessage {
            let day = now.addingTimeInterval(-86_400)
            guard try await store.knowsMessage(overridden, app: app.id, since: day) else {
                throw JPushError.badValue("'options.override_msg_id' \(overridden) is no push of the last day.")
            }
        }
        if options.pacedMinutes > 0, try await store.pacedMessages(of: app.id) + paced >= JPushLimits.pacedPushes {
            throw JPushError.tooManyPacedPushes(
                "\(JPushLimits.pacedPushes) pushes with 'big_push_duration' are under way; wait for one to end."
            )
        }
    }

    /// What is to be done when a push is on disk, besides handing out its custom message.
    func accepted(_ push: PreparedPush) -> PushResult {
        if push.isDispatched { laneRegistry.accepted(in: push.message.lane) }
        observe(push.message, push.chunks)
        return push.result
    }

    private func observe(_ message: Message, _ chunks: [Chunk]) {
        guard let observer else { return }
        for chunk in chunks where !chunk.kind.isForLinks {
            for ordinal in chunk.ordinals.ordinals {
                let subject = JourneySubject.push(apnsID: apnsIDs.apnsID(of: message.id, to: ordinal))
                for kind in chunk.kind.opening {
                    observer.record(JourneyEvent(date: message.acceptedAt, station: .service, kind: kind), of: subject)
                }
            }
        }
    }
}

extension Message {
    /// A push that is accepted now.
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
    }
}

extension Chunk.Kind {
    /// What every journey through such a chunk begins with.
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

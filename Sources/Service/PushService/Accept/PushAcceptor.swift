import Foundation
import PushClock
import PushModel

/// The first stretch of the road: from a request body to a message on disk.
package struct PushAcceptor: Sendable {
    let store: any PushStore
    let registry: Registry
    let messageIDs: MessageIDSource
    let clock: any CivilClock
    let signal: any WorkSignal
    let apnsIDs: APNsIDCodec
    let observer: (any JourneySink)?

    /// Takes a push. When this returns it is on disk.
    ///
    /// - Throws: ``JPushError`` for what the caller can mend.
    package func accept(_ body: [UInt8], for app: App) async throws -> PushResult {
        let request = try PushRequest(parsing: body)
        if let cid = request.cid { try app.key.check(cid: cid) }
        return try await accept(request, body, for: app)
    }

    /// Takes a push that the service itself sends: `key` names it in the place of a cid.
    func accept(_ body: [UInt8], for app: App, key: String) async throws -> PushResult {
        var request = try PushRequest(parsing: body)
        request.cid = key
        return try await accept(request, body, for: app)
    }

    private func accept(_ request: PushRequest, _ body: [UInt8], for app: App) async throws -> PushResult {
        let now = clock.date
        let cidsSince = now.addingTimeInterval(-Double(JPushLimits.cidLifetime))
        if let cid = request.cid, let first = try await store.result(ofCID: cid, app: app.id, since: cidsSince) {
            return first
        }
        let (message, resolution) = try await prepare(request, body, for: app, at: now)
        let chunks = Chunking(of: resolution, message: message, pacedMinutes: request.options.pacedMinutes).chunks
        let isPaced = request.options.pacedMinutes > 0
        if let first = try await store.accept(message, chunks: chunks, isPaced: isPaced, cidsSince: cidsSince) {
            return first
        }
        signal.raise()
        observe(message, chunks)
        return PushResult(messageID: message.id, sendno: message.sendno)
    }

    /// The same checks and the same answer, and nothing is kept or sent.
    package func validate(_ body: [UInt8], for app: App) async throws -> PushResult {
        let request = try PushRequest(parsing: body)
        if let cid = request.cid { try app.key.check(cid: cid) }
        let (message, _) = try await prepare(request, body, for: app, at: clock.date)
        return PushResult(messageID: message.id, sendno: message.sendno)
    }

    private func prepare(
        _ request: PushRequest,
        _ body: [UInt8],
        for app: App,
        at now: Date
    ) async throws
        -> (Message, Resolution)
    {
        let options = request.options
        try await check(options, of: app, at: now)
        let id = try await messageIDs.take()
        let resolution =
            request.platforms.contains(.ios)
            ? registry.resolve(request.audience, of: app.id, environment: options.environment, at: now) : Resolution()
        guard !resolution.isEmpty else { throw JPushError.noTarget(id) }
        return (Message(request, body, id: id, app: app, at: now), resolution)
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

    func observe(_ message: Message, _ chunks: [Chunk]) {
        guard let observer else { return }
        for chunk in chunks {
            for ordinal in chunk.ordinals.ordinals {
                let subject = JourneySubject.push(apnsID: apnsIDs.apnsID(of: message.id, to: ordinal))
                for kind in chunk.opening {
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

extension Chunk {
    /// What every journey through this chunk begins with.
    var opening: [JourneyEvent.Kind] {
        switch kind {
        case .send: [.accepted, .targeted]
        case .otherEnvironment: [.accepted, .targeted, .suppressed(.environment)]
        case .withoutToken: [.accepted, .targeted, .suppressed(.noToken)]
        }
    }
}

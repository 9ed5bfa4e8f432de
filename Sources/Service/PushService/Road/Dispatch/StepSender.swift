import DeviceLink
import Foundation
import Logging
import PushClock
import PushModel
import Tracing

/// Executes one step: prepares it, reads what it needs, makes its payloads, hands them to APNs, and collects the outcomes.
struct StepSender: Sendable {
    let store: any DispatchStore & TopicStore & ReportStore
    let registry: Registry
    let others: OtherNodes?
    let router: MessageRouter
    let sender: any PushSender
    let clock: any CivilClock
    let isObserved: Bool
    /// The tracer of the backend; nil if none is set.
    let tracer: (any Tracer)?
    /// Returns a number from 0 to 1, for pauses.
    let random: @Sendable () -> Double
    let logger: Logger

    /// Sends the pushes of a step, and waits for their outcomes; nil if the task was cancelled before.
    func send(_ prepared: PreparedStep) async -> StepReport? {
        guard let step = await clock.retrying(logger, { try await readTokens(of: prepared.step) }) else { return nil }
        guard let app = step.parts.first?.leased.app, let environment = step.parts.first?.leased.message.environment
        else { preconditionFailure("A step has no part.") }
        var spans = tracer.map { StepSpans(step, by: $0) }
        var batch = SendBatch()
        batch.reserve(step.count, payloadBytes: step.payloadBytes)
        var drafts: [Draft] = []
        drafts.reserveCapacity(step.parts.count)
        for part in step.parts { drafts.append(draft(part, of: app, environment: environment, in: &batch)) }
        spans?.beginSending(zip(step.parts, drafts).map { $0.places.count - $1.missing.count })
        let outcomes = batch.count == 0 ? SendOutcomes() : await sender.send(batch, for: app, environment: environment)
        spans?.endSending()
        var report = StepReport(now: clock.date, app: app.id, isObserved: isObserved)
        for (part, draft) in zip(step.parts, drafts) {
            report.add(
                part,
                draft.targets,
                outcome: { draft.outcome(at: $0, part, outcomes) },
                backOff: { attempts in
                    // 1 s, 2 s, 4 s … up to a minute, times a random factor between 0.5 and 1.
                    min(60, pow(2, Double(min(attempts, 8) - 1))) * (0.5 + 0.5 * random())
                }
            )
        }
        spans?.end(with: report)
        return report
    }

    /// The pushes of a part and their positions in the batch.
    private struct Draft {
        var targets: Targets
        /// The index of the first push in the batch; the others follow, without the missing ones.
        var first: Int
        /// The outcomes of places without a push, by index.
        var missing: [Int: StepReport.Outcome]
        /// The positions in the batch by index; used if any push is missing.
        var numbers: [Int32]

        func outcome(at index: Int, _ part: LanePlan.Step.Part, _ outcomes: SendOutcomes) -> StepReport.Outcome {
            if !missing.isEmpty, let why = missing[index] { return why }
            let number = missing.isEmpty ? first + index : Int(numbers[index])
            if outcomes.sentAtOnce.contains(number) { return .sent }
            return .ended(outcomes.others[number] ?? SendOutcome(.unreachable("The push had no outcome.")))
        }
    }

    private func draft(
        _ part: LanePlan.Step.Part,
        of app: App,
        environment: APNSEnvironment,
        in batch: inout SendBatch
    ) -> Draft {
        let leased = part.leased
        let ordinals = part.ordinals
        var targets = registry.targets(ordinals[...], of: app.id, environment: environment)
        if let tokens = part.channelTokens { targets = targets.with(tokens) }
        var draft = Draft(targets: targets, first: batch.count, missing: [:], numbers: [])
        let quiet = decisions(for: part.places, of: leased, ordinals: ordinals)
        var values = part.attributes
        let takesBack = leased.content.takesBack
        let languages = leased.content.hasLanguages ? registry.languages(of: ordinals[...], of: app.id) : nil
        var choice = languages.map { LanguageChoice(of: $0) }
        // The same push to all devices has one set of headers.
        var common: Int?
        for (index, place) in part.places.enumerated() {
            draft.numbers.append(Int32(batch.count))
            guard let composer = leased.content.composer(at: leased.contentPlace(place)) else {
                draft.missing[index] = .unreadable
                continue
            }
            let target = targets[index]
            if let takesBack, asks(target, of: leased, toRemove: takesBack) {
                draft.missing[index] = .untargeted(.askedOverLink)
                continue
            }
            guard let token = target.token else {
                draft.missing[index] = .untargeted(target.absence)
                continue
            }
            if let reason = part.held?[target.ordinal] {
                draft.missing[index] = .untargeted(reason)
                continue
            }
            if let decision = quiet?[index], decision != .send {
                draft.missing[index] = .quiet(decision)
                continue
            }
            let headers = common ?? batch.use(composer.headers)
            if leased.message.batch == nil { common = headers }
            let device = DeviceID(app: app.id, ordinal: target.ordinal)
            composer.add(
                to: &batch,
                device,
                token,
                badge: target.badge,
                headers: headers,
                values: &values,
                at: index,
                language: choice?.place(at: index, among: composer.languages)
            )
        }
        return draft
    }

    /// Asks an app over its link to remove the notification of a push.
    ///
    /// - Returns: whether it has a link; otherwise it gets a silent push.
    private func asks(_ target: Target, of leased: LeasedChunk, toRemove other: MessageID) -> Bool {
        guard let session = router.session(of: DeviceID(app: leased.app.id, ordinal: target.ordinal)) else {
            return false
        }
        session.send(.takeBack([SDKTakeBack(id: leased.message.id.number, messageID: other.number)]))
        return true
    }

    /// Returns the decisions of the quiet hours by place; nil if there are none.
    func decisions(
        for places: [Int],
        of leased: LeasedChunk,
        ordinals: [DeviceOrdinal]
    ) -> [QuietHoursDecision]? {
        guard leased.content.hasQuietHours else { return nil }
        let zones = registry.zones(of: ordinals[...], of: leased.app.id)
        let now = clock.date
        let expiry = leased.content.expiresAt
        guard leased.message.batch != nil else {
            let rule = leased.content.composer(at: 0)?.quietHours
            return rule?.decisions(for: zones, count: places.count, at: now, expiry: expiry)
        }
        return places.indices.map { index in
            let rule = leased.content.composer(at: leased.contentPlace(places[index]))?.quietHours
            return rule?.decision(for: zones[index], at: now, expiry: expiry) ?? .send
        }
    }

    /// Takes back what the caps of topics have counted for devices that did not get the pushes of a step: a cap counts what APNs has taken.
    func release(_ prepared: PreparedStep, _ report: StepReport) async throws {
        for (part, result) in zip(prepared.step.parts, report.parts) where part.held != nil {
            let all = part.leased.chunk.ordinals.ordinals
            // A retry was counted before.
            let ordinals = part.places.filter(result.settled.contains).map { all[$0] }
                .filter { part.leased.isRetry || part.held?[$0] == nil }
            let accepted = part.leased.message.acceptedAt
            guard !ordinals.isEmpty, let topic = part.leased.content.topic else { continue }
            try await store.release(push(of: part.leased, for: topic, to: ordinals, at: accepted))
        }
    }

    /// Takes back what the cap of a topic has counted for a chunk whose pushes have expired.
    func release(_ item: Lease.Item) async throws {
        let (message, chunk) = item
        guard let topic = try? message.push(at: 0).request.options.topic else { return }
        let ordinals = chunk.placesLeft.map { chunk.ordinals.ordinals[$0] }
        // Some of them may never have been counted, so that only the last push of a device is certain.
        let times = [DeviceOrdinal: Int64](uniqueKeysWithValues: ordinals.map { ($0, .min) })
        let isImmediate = message.lane.delivery == .immediate
        try await store.release(
            TopicPush(app: message.app, topic: topic, message: message.id, isImmediate: isImmediate, times: times)
        )
    }

    /// Returns the push of a chunk for its topic, with the local times of devices at a date.
    func push(
        of leased: LeasedChunk,
        for topic: (name: String, zone: TimeZone),
        to ordinals: [DeviceOrdinal],
        at date: Date
    ) -> TopicPush {
        TopicPush(
            app: leased.app.id,
            topic: topic.name,
            message: leased.message.id,
            isImmediate: leased.message.lane.delivery == .immediate,
            isRetry: leased.isRetry,
            times: registry.localTimes(of: ordinals, of: leased.app.id, at: date, fallback: topic.zone)
        )
    }
}

extension LanePlan.Step {
    fileprivate var payloadBytes: Int {
        guard let part = parts.first, let place = part.places.first else { return 0 }
        return part.leased.content.composer(at: part.leased.contentPlace(place))?.payloadBytes ?? 0
    }
}

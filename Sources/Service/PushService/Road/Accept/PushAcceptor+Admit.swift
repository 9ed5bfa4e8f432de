import Foundation
import PushModel

// The rules between a request and a push that only has to be written, in the order in which they apply:
//
// 1. ``App/check(_:_:)`` has the rules about the request alone.
// 2. ``PushAcceptor/admit(_:_:for:from:at:)`` has those about the app's other pushes (``StoreRule``), resolves the audience and counts
//    the push.
//
// Two kinds of pushes take a shorter way, to which the same rules apply: those of a batch, whose targets are resolved together, are no
// broadcasts, and are counted together as pushes of their plans; and direct pushes, of which a rule concerns none.
extension PushAcceptor {
    /// The caller that sends a push.
    enum Caller {
        /// A backend with the key of the app.
        case app
        /// A backend with the key of a group.
        case group(AppGroup)
        /// The service itself, to devices in the time zones that are meant; nil stands for all devices. It may count as one of the app's
        /// broadcasts.
        case schedule(isCounted: Bool, inZones: ((TimeZone?) -> Bool)?)

        /// Returns the keys whose uploaded files may be the audience.
        fileprivate func fileOwners(for app: App) -> [String] {
            if case .group(let group) = self { [group.key.text, app.key.text] } else { [app.key.text] }
        }

        fileprivate var isCounted: Bool { if case .schedule(let isCounted, _) = self { isCounted } else { true } }
    }

    /// Admits a push of which ``App/check(_:_:)`` approves: the only way from a request to a push that may be written.
    func admit(
        _ request: PushRequest,
        _ body: [UInt8],
        for app: App,
        from caller: Caller = .app,
        at now: Date
    ) async throws -> PreparedPush {
        guard !request.isForecast else {
            throw JPushError.badValue("'x_forecast' is true; send it to POST /v3/push/validate.")
        }
        var push = try await prepare(request, body, for: app, from: caller, at: now)
        if caller.isCounted { try await countBroadcast(request, &push, of: app, at: now) }
        if let plan = request.options.plan { try await label([(push.message.id, plan)], of: app, at: now) }
        return push
    }

    /// Checks the options of a push and resolves its audience.
    func prepare(
        _ request: PushRequest,
        _ body: [UInt8],
        for app: App,
        from caller: Caller = .app,
        at now: Date
    ) async throws -> PreparedPush {
        let options = request.options
        try await check(options, of: app, at: now)
        var targets: TargetList?
        if let file = request.fileID { targets = try await files.targets(file, of: caller.fileOwners(for: app)) }
        let id = try await messageIDs.take()
        var resolution = Resolution()
        if request.platforms.contains(.ios) {
            let environment = options.environment
            let date = trustedTime.date
            let past = try await past.devices(for: request.audience, of: app.id, at: date)
            if targets == nil { try await others?.lookUp(request.audience, of: app.id, environment) }
            func resolve(_ targets: TargetList?) -> Resolution {
                guard let targets else {
                    return registry.resolve(request.audience, of: app.id, environment: environment, at: date, past)
                }
                return registry.resolve(targets, of: app.id, environment: environment, at: date)
            }
            resolution = resolve(targets)
            if resolution.isEmpty, let others {
                try await others.catchUp()
                resolution = resolve(targets)
            }
        }
        if let key = request.channelKey {
            let base = request.liveActivityID == nil ? resolution : nil
            resolution = try await resolve(key, among: base, of: app.id, environment: options.environment)
        }
        if case .schedule(_, let isMeant?) = caller {
            resolution = registry.filter(resolution, of: app.id, inZones: isMeant)
        }
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
            case .openedMessage:
                guard let opened = options.unlessOpened else { continue }
                guard try await store.knowsMessage(opened, app: app.id, since: .distantPast) else {
                    throw JPushError.badValue(
                        "'options.x_unless_opened' names \(opened), which is not a push of the app."
                    )
                }
            case .undonePush:
                throw JPushError.badValue("'options.x_undo' is for a single push of an app; send it to POST /v3/push.")
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

    /// Counts a broadcast if there is a limit.
    ///
    /// - Throws: 2008 beyond the limit.
    private func countBroadcast(
        _ request: PushRequest,
        _ push: inout PreparedPush,
        of app: App,
        at now: Date
    ) async throws {
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
}

extension App {
    /// Checks a push by the rules about its request alone.
    func check(_ request: PushRequest, _ body: [UInt8]) throws(JPushError) {
        try check(request.options, body[...])
        if let cid = request.cid { try key.check(cid: cid) }
    }

    /// Refuses a push for which there are warnings, if the push or its app is strict.
    func check(_ options: PushOptions, _ body: @autoclosure () -> ArraySlice<UInt8>) throws(JPushError) {
        if options.isStrict ?? isStrict { try PushWarning.refuse(body()) }
    }
}

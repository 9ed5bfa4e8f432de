package import DeviceLink
import PushClock
import PushModel

// Requests from devices that have proven themselves.
extension RegistrationController {
    /// Performs a request, which may be repeated.
    ///
    /// An app that counts its operations gives the number. Then one that arrives again after a later one is answered with 0 and has no
    /// effect.
    package func carryOut(
        _ request: SDKRequest,
        numbered number: Int64? = nil,
        for device: DeviceID
    ) async throws -> SDKReply {
        if let refusal = refusal(of: request, of: device) ?? Self.refusal(ofTokenIn: request) { return refusal }
        switch request {
        case .token(let token, let environment): return try await setToken(token, environment, of: device)
        case .addTags(let tags, let proofs):
            return try await changeTags(of: device, with: tags, proofs: proofs, numbered: number) { $0.union($1) }
        case .setTags(let tags, let proofs):
            let limit = JPushLimits.tagBytesPerReplacement
            return try await changeTags(of: device, with: tags, proofs: proofs, bytes: limit, numbered: number) { $1 }
        case .deleteTags(let tags):
            return try await changeTags(of: device, with: tags, proofs: nil, numbered: number) { $0.subtracting($1) }
        case .cleanTags: return try await change(device, numbered: number) { $0.tags = [] }
        case .getAllTags: return SDKReply(code: 0, tags: try await store.device(device)?.tags ?? [])
        case .checkTag(let tag): return try await check(tag, of: device)
        case .setAlias(let alias, let proof): return try await setAlias(alias, proof: proof, of: device, number)
        case .deleteAlias: return try await change(device, numbered: number) { $0.alias = nil }
        case .getAlias: return SDKReply(code: 0, alias: try await store.device(device)?.alias)
        case .mobile(let mobile): return try await setMobile(mobile, of: device, number)
        case .attributes(let values): return try await setAttributes(values, of: device, number)
        case .topics(let declined): return try await topics(declining: declined, of: device, number)
        case .badge(let badge): return try await setBadge(badge, of: device, number)
        case .pushSwitch(let isOn): return try await switchPush(isOn, of: device, number)
        case .pushStatus: return SDKReply(code: 0, isOn: !registry.isStopped(device))
        case .receipts(let receipts): return try await record(receipts.map(DeviceReceipt.init), of: device)
        case .voipToken(let token, let environment):
            return try await record(.voip, name: "", token: token, environment: environment, of: device)
        case .activityToken(let id, let token):
            return try await record(.activity, name: id, token: token, environment: nil, of: device)
        case .activityStartToken(let type, let token):
            return try await record(.activityStart, name: type, token: token, environment: nil, of: device)
        }
    }

    /// Returns the refusal of a request before it is examined: 6012 for requests that an app may not make while push is off, 6011
    /// for requests that are too frequent. Tokens and receipts, which the SDK sends by itself, are always accepted.
    private func refusal(of request: SDKRequest, of device: DeviceID) -> SDKReply? {
        let family: CallRates.Family?
        switch request {
        case .addTags, .setTags, .deleteTags, .cleanTags, .getAllTags, .checkTag, .setAlias, .deleteAlias, .getAlias,
            .attributes, .topics:
            family = .names
        case .mobile: family = .mobile
        case .badge: family = nil
        case .token, .pushSwitch, .pushStatus, .receipts, .voipToken, .activityToken, .activityStartToken: return nil
        }
        // A user may choose topics while push is off.
        let needsPush = if case .topics = request { false } else { true }
        guard !needsPush || !registry.isStopped(device) else {
            return SDKReply(code: 6012, message: "Push is switched off on this device; switch it on first.")
        }
        guard let family, !rates.allows(family, of: device, at: clock.date) else { return nil }
        return SDKReply(code: 6011, message: "Too many requests of this kind; wait ten seconds.")
    }

    func change(
        _ id: DeviceID,
        numbered number: Int64?,
        answering reply: SDKReply = SDKReply(code: 0),
        _ change: @escaping @Sendable (inout RegisteredDevice) -> Void
    ) async throws -> SDKReply {
        let device = try await store.updateDevice(id) { device in if device.takes(number) { change(&device) } }
        guard let device else { return Self.unknownDevice }
        registry.apply([device])
        return reply
    }

    /// The refusal of a value that a device cannot have.
    static func refusal(_ message: String) -> SDKReply { SDKReply(code: 6017, message: message) }

    static let unknownDevice = SDKReply(code: 6016, message: "The device is not known any more; register again.")

    private func switchPush(_ isOn: Bool, of device: DeviceID, _ number: Int64?) async throws -> SDKReply {
        let reply = try await change(device, numbered: number, answering: SDKReply(code: 0, isOn: isOn)) {
            $0.isStopped = !isOn
        }
        if registry.isStopped(device), let session = router.session(of: device) { router.leave(device, session) }
        return reply
    }

    private func setBadge(_ badge: Int, of device: DeviceID, _ number: Int64?) async throws -> SDKReply {
        guard (0...JPushLimits.badge).contains(badge) else {
            return Self.refusal("The badge \(badge) is not within 0 to \(JPushLimits.badge).")
        }
        return try await change(device, numbered: number) { $0.badge = badge }
    }

    /// Sets and removes attributes. Replies with 6017 for names and texts that a device cannot have, and for too many.
    private func setAttributes(
        _ values: [String: String],
        of device: DeviceID,
        _ number: Int64?
    ) async throws -> SDKReply {
        do {
            let edit = try AttributeEdit(.strings(values))
            let changed = try await store.updateDevices([device.ordinal], of: device.app, keepingTags: []) { device in
                if device.takes(number) { device.attributes = try edit.attributes(after: device.attributes) }
            }
            registry.apply(changed)
            return SDKReply(code: 0)
        } catch let error as JPushError {
            return Self.refusal(error.message)
        }
    }

    /// Replaces the topics that a device declines, unless they are nil, and returns all that are known. Replies with 6017 for a text that
    /// is no name, or too many.
    private func topics(
        declining names: [String]?,
        of device: DeviceID,
        _ number: Int64?
    ) async throws -> SDKReply {
        if let names {
            guard names.count <= PushTopic.limit, names.allSatisfy(PushTopic.isName) else {
                return Self.refusal("'declined' has something else than up to \(PushTopic.limit) names of topics.")
            }
            // The number is stored after the effect, which may happen twice but must not be missing.
            if var known = try await store.device(device), known.takes(number) {
                try await store.setDeclinedTopics(names, of: device, at: clock.date)
                if number != nil { _ = try await change(device, numbered: number) { _ in } }
            }
        }
        let known = try await store.topics(of: device.app).map { ($0.name, false) }
        let declined = try await store.declinedTopics(of: device).map { ($0, true) }
        var reply = SDKReply(code: 0)
        reply.topics = Dictionary(known + declined) { $0 || $1 }
        return reply
    }

    /// Sets the mobile number; nil and an empty text remove it. Replies with 6025 for more than 20 characters, and with 6023 for
    /// anything but digits and `-` after a `+` or a digit.
    private func setMobile(_ mobile: String?, of device: DeviceID, _ number: Int64?) async throws -> SDKReply {
        let mobile = mobile.flatMap { $0.isEmpty ? nil : $0 }
        if let mobile {
            guard mobile.utf8.count <= JPushLimits.mobileCharacters else {
                let limit = JPushLimits.mobileCharacters
                return SDKReply(code: 6025, message: "The number is longer than \(limit) characters.")
            }
            guard JPushLimits.isMobile(mobile) else {
                return SDKReply(
                    code: 6023,
                    message: "The number '\(mobile)' is invalid; expected digits and '-' after a '+' or a digit."
                )
            }
        }
        return try await change(device, numbered: number) { $0.mobile = mobile }
    }
}

// Receipts from apps.
extension RegistrationController {
    private static let receiptsAtOnce = 1000

    /// Stores receipts as bits: repeated receipts count once. Receipts for pushes that did not go to the device are ignored.
    package func record(_ receipts: [DeviceReceipt], of device: DeviceID) async throws -> SDKReply {
        guard receipts.count <= Self.receiptsAtOnce else {
            return Self.refusal("\(receipts.count) receipts came at once; expected at most \(Self.receiptsAtOnce).")
        }
        var bits: [MessageID: ReceiptBits] = [:]
        var inApp: [MessageID: ReceiptBits] = [:]
        for receipt in receipts {
            if receipt.isInApp {
                inApp[receipt.message, default: []].formUnion(receipt.bits)
            } else {
                bits[receipt.message, default: []].formUnion(receipt.bits)
            }
        }
        // The device's clock may be wrong; the service's clock decides how long reports on a push are kept.
        if !receipts.isEmpty {
            try await store.record(bits, inApp: inApp, of: device, at: clock.date)
            journeyWatch.changed(bits.keys)
            let opened = bits.filter { $0.value.contains(.clicked) }.map(\.key)
            if !opened.isEmpty { try await acceptor.takeBack(opened, openedOn: device) }
            await spans?.add(receipts.map { $0.report(of: device, at: clock.date) }, from: device.app)
        }
        return SDKReply(code: 0)
    }
}

import DeviceLink
import PushClock
import PushModel

// Tags and aliases, with the SDK's rules, which the service enforces too.
extension RegistrationController {
    func changeTags(
        of device: DeviceID,
        with tags: [String],
        proofs: [String: String]?,
        bytes limit: Int = JPushLimits.tagBytesPerRequest,
        numbered number: Int64?,
        _ combine: @escaping @Sendable (Set<ExactText>, Set<ExactText>) -> Set<ExactText>
    ) async throws -> SDKReply {
        if let refusal = SDKReply.refusal(ofTags: tags, bytes: limit) { return refusal }
        let given = Set(exactly: tags)
        guard let now = try await store.device(device)?.tags,
            combine(Set(exactly: now), given).count <= JPushLimits.tagsPerDevice
        else { return SDKReply(code: 6007, message: "A device has at most \(JPushLimits.tagsPerDevice) tags.") }
        let wanted = combine(Set(exactly: now), given)
        if let refusal = refusal(ofNew: wanted.subtracting(Set(exactly: now)), proofs: proofs, of: device) {
            return refusal
        }
        let claim: TagClaim
        do { claim = try registry.claim(wanted.texts, from: .device, of: device.app) } catch {
            return SDKReply(code: 6018, message: "\(error)")
        }
        defer { registry.release(claim) }
        return try await change(device, numbered: number, answering: SDKReply(code: 0, tags: tags)) { device in
            device.tags = combine(Set(exactly: device.tags), given).texts
        }
    }

    func check(_ tag: String, of device: DeviceID) async throws -> SDKReply {
        if let refusal = SDKReply.refusal(ofTags: [tag]) { return refusal }
        guard let now = try await store.device(device) else { return Self.unknownDevice }
        return SDKReply(code: 0, isBound: now.tags.contains { $0.isSame(as: tag) })
    }

    private static let fullAlias = SDKReply(
        code: 6027,
        message: "\(JPushLimits.devicesPerAlias) devices have this alias already."
    )

    func setAlias(_ alias: String, proof: String?, of device: DeviceID, _ number: Int64?) async throws -> SDKReply {
        if let refusal = SDKReply.refusal(ofAlias: alias) { return refusal }
        guard let app = registry.app(device.app) else { return Self.unknownDevice }
        // It would take the alias from others.
        if number != nil, var known = try await store.device(device), !known.takes(number) {
            return SDKReply(code: 0, alias: alias)
        }
        let now = clock.date
        var isProved = false
        switch finding(on: .alias(alias), proof: proof, of: device, in: app, at: now) {
        case .proved: isProved = true
        case .unproved: break
        case .refused(let refusal):
            // The alias that the backend has vouched for before, as an app sets it at each start.
            guard proof == nil, let known = try await store.device(device), known.isAliasProved,
                known.alias.isSame(as: alias)
            else { return refusal }
            return SDKReply(code: 0, alias: alias)
        }
        let setter = AliasSetter(store: store, registry: registry, others: others)
        let claim = AliasClaim(alias, at: now, isProved: isProved, room: .unlinked)
        do {
            let changed = try await setter.change(device, claiming: claim, at: now) { [isProved] device in
                if device.takes(number) { device.setAlias(alias, isProved: isProved) }
            }
            return changed == nil ? Self.unknownDevice : SDKReply(code: 0, alias: alias)
        } catch is AliasIsFull { return Self.fullAlias }
    }
}

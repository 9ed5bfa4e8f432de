// Passes deliveries to links, grouped so that a message for many links is encoded once and sent in few writes.
extension MessageRouter {
    private static let linksATurn = 128

    /// The links that were handed the same messages.
    private struct Reached {
        var count = 0
        /// The last few links, so that each event loop has about one of them.
        var some: [SDKLinkSession] = []
    }

    /// Hands out deliveries and returns when they were written, or the links have closed, as far as links receive the same
    /// messages.
    ///
    /// - Throws: ``StoreError`` if the devices of an in-app message were not read; some deliveries may have been handed out.
    func handOut(_ deliveries: [CustomMessageDelivery]) async throws {
        var reached = Reached()
        for (app, deliveries) in Dictionary(grouping: deliveries, by: \.app) {
            let sessions = sessions(of: app)
            guard !sessions.isEmpty else { continue }
            let deliveries = try await resolved(deliveries, for: sessions)
            handOut(deliveries, to: sessions, &reached)
        }
        // Deliveries that arrive during these writes leave together, in one write per link. They would have to wait for them
        // anyway.
        await SDKLinkSession.written(reached.some)
        // A client that publishes the next message when the last has arrived is slightly behind the writes. A single message would
        // again cost thousands of writes; a few turns of an event loop are cheap in comparison.
        for _ in 0..<reached.count / Self.linksATurn { await SDKLinkSession.written(reached.some.suffix(1)) }
    }

    /// Hands out the deliveries of one app, and collects the links that receive the same messages as others.
    private func handOut(
        _ deliveries: [CustomMessageDelivery],
        to sessions: [DeviceOrdinal: SDKLinkSession],
        _ reached: inout Reached
    ) {
        var block: [(message: EncodedMessage, audience: [OrdinalList])] = []
        func handOutBlock() {
            guard !block.isEmpty else { return }
            handOut(block, to: sessions, &reached)
            block = []
        }
        for delivery in deliveries {
            switch delivery.content {
            case .same(let content, let audience):
                let message = EncodedMessage(
                    delivery.logged,
                    content,
                    position: delivery.position,
                    logged: delivery.logged
                )
                block.append((message, audience))
                if block.count == Self.block { handOutBlock() }
            case .each(let messages):
                // Each device gets its messages in the order of the log.
                handOutBlock()
                for direct in messages {
                    guard let session = sessions[direct.device] else { continue }
                    let message = EncodedMessage(
                        direct.message,
                        direct.content,
                        position: delivery.position,
                        logged: delivery.logged
                    )
                    if let pack = MessagePack([message]) { session.offer(pack) }
                }
            case .inApp: break  // Those of the app were resolved.
            }
        }
        handOutBlock()
    }

    /// Hands all messages for a link over together, so that they leave in one write. Links that get the same messages share the
    /// encoded bytes.
    private func handOut(
        _ block: [(message: EncodedMessage, audience: [OrdinalList])],
        to sessions: [DeviceOrdinal: SDKLinkSession],
        _ reached: inout Reached
    ) {
        // The messages of each device, one bit per message.
        var received: [DeviceOrdinal: UInt64] = [:]
        for (place, item) in block.enumerated() {
            for list in item.audience {
                for ordinal in list.members(among: sessions) { received[ordinal, default: 0] |= 1 << UInt64(place) }
            }
        }
        var packs: [UInt64: MessagePack] = [:]
        for (ordinal, bits) in received {
            if packs[bits] == nil {
                packs[bits] = MessagePack(
                    block.indices.filter { bits & 1 << UInt64($0) != 0 }.map { block[$0].message }
                )
            }
            if let pack = packs[bits] { sessions[ordinal]?.offer(pack) }
        }
        reached.count += received.count
        reached.some += received.keys.dropFirst(max(0, received.count - 8)).compactMap { sessions[$0] }
        reached.some.removeFirst(max(0, reached.some.count - 8))
    }
}

extension OrdinalList {
    /// The devices in the list that have a session; iterates the shorter of the two.
    func members(among sessions: [DeviceOrdinal: SDKLinkSession]) -> [DeviceOrdinal] {
        if sessions.count < ordinals.count / 8 { return sessions.keys.filter { place(of: $0) != nil } }
        return ordinals.filter { sessions[$0] != nil }
    }
}

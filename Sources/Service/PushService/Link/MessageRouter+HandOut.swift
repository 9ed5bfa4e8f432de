import PushModel

// From mail to links: grouped so that what many get is made once, and written in few writes.
extension MessageRouter {
    private static let linksATurn = 128

    /// Links that were handed the same messages.
    private struct Reached {
        var count = 0
        /// The last few, so that each event loop has one of them, more or less.
        var some: [SDKLinkSession] = []
    }

    /// Returns when it has left, or cannot any more, as far as links get the same.
    func handOut(_ mail: [CustomMessageDelivery]) async {
        var reached = Reached()
        for (app, mail) in Dictionary(grouping: mail, by: \.app) {
            let sessions = sessions(of: app)
            if !sessions.isEmpty { handOut(mail, to: sessions, &reached) }
        }
        // What comes while these are being written leaves together, in one write a link. It would have to wait for them anyway.
        await SDKLinkSession.written(reached.some)
        // Who publishes the next when the last has come is a moment behind the writes: one message alone would cost thousands of
        // them again, a few turns of an event loop are little beside that.
        for _ in 0..<reached.count / Self.linksATurn { await SDKLinkSession.written(reached.some.suffix(1)) }
    }

    /// * `reached`: takes in those that get the same as others.
    private func handOut(
        _ mail: [CustomMessageDelivery],
        to sessions: [DeviceOrdinal: SDKLinkSession],
        _ reached: inout Reached
    ) {
        var block: [(message: PreparedMessage, audience: [OrdinalList])] = []
        func handOutBlock() {
            handOut(block, to: sessions, &reached)
            block = []
        }
        for mail in mail {
            switch mail.content {
            case .same(let content, let audience):
                let message = PreparedMessage(mail.logged, content, position: mail.position, logged: mail.logged)
                block.append((message, audience))
                if block.count == Self.block { handOutBlock() }
            case .each(let letters):
                // Each device gets what is for it in the order of the log.
                handOutBlock()
                for letter in letters {
                    guard let session = sessions[letter.device] else { continue }
                    let message = PreparedMessage(
                        letter.message,
                        letter.content,
                        position: mail.position,
                        logged: mail.logged
                    )
                    if let pack = MessagePack([message]) { session.offer(pack) }
                }
            }
        }
        handOutBlock()
    }

    /// All messages for a link together, so that they leave in one write; links that get the same ones share what is written.
    private func handOut(
        _ block: [(message: PreparedMessage, audience: [OrdinalList])],
        to sessions: [DeviceOrdinal: SDKLinkSession],
        _ reached: inout Reached
    ) {
        // Which of the messages a device gets: a bit each.
        var mail: [DeviceOrdinal: UInt64] = [:]
        for (place, item) in block.enumerated() {
            for list in item.audience {
                for ordinal in list.members(among: sessions) { mail[ordinal, default: 0] |= 1 << UInt64(place) }
            }
        }
        var packs: [UInt64: MessagePack] = [:]
        for (ordinal, bits) in mail {
            if packs[bits] == nil {
                packs[bits] = MessagePack(
                    block.indices.filter { bits & 1 << UInt64($0) != 0 }.map { block[$0].message }
                )
            }
            if let pack = packs[bits] { sessions[ordinal]?.offer(pack) }
        }
        reached.count += mail.count
        reached.some += mail.keys.dropFirst(max(0, mail.count - 8)).compactMap { sessions[$0] }
        reached.some.removeFirst(max(0, reached.some.count - 8))
    }
}

extension OrdinalList {
    /// Those of the list that have a session; looks through the shorter of the two.
    fileprivate func members(among sessions: [DeviceOrdinal: SDKLinkSession]) -> [DeviceOrdinal] {
        if sessions.count < ordinals.count / 8 { return sessions.keys.filter { place(of: $0) != nil } }
        return ordinals.filter { sessions[$0] != nil }
    }
}

import DeviceLink
import PushModel

/// Rebuilds a gateway's state from the records of its log.
struct MailRestoration {
    /// An inconsistency between records.
    struct Problem: Error, CustomStringConvertible {
        var description: String
    }

    /// The initial mailbox of each token.
    private let mailbox: Mailbox
    /// The records by index. A record may refer to an index that only a later checkpoint describes; the checkpoint repeats it.
    private var records: [TokenRecord?] = []
    private var otherTokens: [TokenKey: DeviceToken] = [:]
    private var channels = ChannelRegistry()
    private var deviceKeys = DeviceKeys()
    private var subscriptions = ChannelSubscriptions()

    init(_ mailbox: Mailbox) { self.mailbox = mailbox }

    /// Applies all records of a frame.
    mutating func apply(_ frame: [UInt8]) throws(Problem) {
        var reader = MailRecordReader(frame)
        while !reader.isAtEnd {
            do { apply(try MailRecord(from: &reader)) } catch {
                throw Problem(description: "a record is of an unknown kind, or not whole")
            }
        }
    }

    mutating func apply(_ record: MailRecord) {
        switch record {
        case .token(let index, let token): put(MailRecord.Whole(token: token), at: index)
        case .whole(let index, let whole): put(whole, at: index)
        case .death(let index, let death): change(index) { $0.die(death) }
        case .stored(let index, let mail, let isRemembered):
            change(index) { $0.mailbox.restore(mail, isRemembered: isRemembered) }
        case .gone(let index, let id): change(index) { $0.mailbox.forget(id) }
        case .channel(let channel, let storage): _ = channels.create(channel, storage)
        case .channelGone(let channel):
            _ = channels.delete(channel)
            subscriptions.remove(channel)
        case .subscribed(let index, let subscription):
            // As for tokens: the checkpoint repeats what it refers to.
            guard let device = deviceKeys.number(of: subscription.device) else { break }
            subscriptions.put(
                device,
                to: subscription.channel,
                at: index,
                since: subscription.since,
                through: subscription.through
            )
        case .unsubscribed(let index): subscriptions.remove(at: index)
        case .heard(let index, let number): subscriptions.acknowledge(number, at: index)
        case .broadcast(let channel, let message): channels.restore(message, to: channel)
        case .noChannels: channels = ChannelRegistry()
        case .device(let id, let keyDigest): deviceKeys.restore(id, keyDigest)
        }
    }

    private mutating func put(_ whole: MailRecord.Whole, at index: Int) {
        while records.count <= index { records.append(nil) }
        let record = TokenRecord(whole, mailbox)
        if whole.token.token.words == nil { otherTokens[record.token] = whole.token.token }
        records[index] = record
    }

    private mutating func change(_ index: Int, _ body: (inout TokenRecord) -> Void) {
        guard records.indices.contains(index), var record = records[index] else { return }
        // Avoids a copy: its mailbox is changed in place.
        records[index] = nil
        body(&record)
        records[index] = record
    }

    /// Moves the restored records into an empty state.
    ///
    /// - Throws: if the log has no record of a token that must have existed.
    func finish(_ state: inout GatewayState) throws(Problem) {
        for (index, record) in records.enumerated() {
            guard let record else {
                throw Problem(description: "The mail log has no record of token \(index), but has some of later ones.")
            }
            _ = state.add(record, of: otherTokens[record.token] ?? record.token.token)
            state.addTopic(record.topic)
            guard let app = record.app else { continue }
            // Each dead token of an app raises the generation of its next token.
            if record.unregistered == nil {
                state.placeOfApp[app] = index
            } else {
                state.removals[app, default: 0] += 1
            }
        }
        state.channels = channels
        state.deviceKeys = deviceKeys
        state.subscriptions = subscriptions
        state.subscriptions.findFreeIndices()
        let stored = channels.storedBroadcasts
        state.broadcasts.begin(after: max(subscriptions.highestNumber, stored.map(\.message.number).max() ?? 0))
        for (channel, message) in stored {
            state.broadcasts.add(
                BroadcastFacts(
                    id: message.id,
                    number: message.number,
                    channel: channel,
                    date: nil,
                    state: .stored(until: message.expiration),
                    subscribers: subscriptions.count(of: channel)
                )
            )
        }
    }
}

extension TokenRecord {
    fileprivate init(_ whole: MailRecord.Whole, _ empty: Mailbox) {
        token = TokenKey(whole.token.token)
        topic = whole.token.topic
        environment = whole.token.environment
        mailbox = empty
        app = whole.token.device.map {
            CourierServer.DeviceApp(device: $0, topic: whole.token.topic, environment: whole.token.environment)
        }
        for id in whole.recent { mailbox.restoreRecent(id) }
        for kept in whole.mail { mailbox.restore(kept, isRemembered: false) }
        if let death = whole.death { die(death) }
    }

    /// Records the end of a token, and of all pushes that waited for it.
    mutating func die(_ death: MailRecord.Death) {
        unregistered = death.date
        hasExpired = death.hasExpired
        mailbox = mailbox.emptied
    }

}

extension GatewayState {
    /// The token at an index as it was created.
    func made(_ index: Int) -> MailRecord.Token {
        let record = records[index]
        return MailRecord.Token(
            token: token(at: index),
            topic: record.topic,
            environment: record.environment,
            device: record.app?.device
        )
    }

    /// The complete state of the token at an index.
    private func whole(_ index: Int) -> MailRecord.Whole {
        let record = records[index]
        return MailRecord.Whole(
            token: made(index),
            death: record.unregistered.map { MailRecord.Death(date: $0, hasExpired: record.hasExpired) },
            mail: record.mailbox.kept,
            recent: record.mailbox.recentIDs
        )
    }

    /// The number of indices that a checkpoint describes: those of tokens, and those of subscriptions.
    var checkpointCount: Int { max(records.count, subscriptions.indexCount) }

    /// Appends the complete state of these tokens and subscriptions; with the first of them, also the channels and the keys of
    /// devices.
    mutating func appendCheckpoint(_ indices: Range<Int>) {
        if indices.lowerBound == 0 {
            tail?.append(.noChannels)
            for record in channels.records { tail?.append(record) }
            for record in deviceKeys.records { tail?.append(record) }
        }
        for index in indices {
            if index < records.count {
                let whole = whole(index)
                tail?.append(.whole(index: index, whole))
            }
            if let record = subscriptionRecord(at: index) { tail?.append(record) }
        }
    }
}

import DeviceLink
import Foundation
import PushModel

/// Rebuilds a gateway's state from the records of its log.
struct MailRestoration {
    /// An inconsistency between records.
    struct Problem: Error, CustomStringConvertible {
        var description: String
    }

    /// The initial mailbox of each token.
    private let mailbox: Mailbox
    /// The records by place. A record may refer to a place that only a later checkpoint describes; the checkpoint repeats it.
    private var records: [TokenRecord?] = []
    private var channels = ChannelRegistry()
    private var deviceKeys = DeviceKeys()

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
        case .token(let place, let token): put(MailRecord.Whole(token: token), at: place)
        case .whole(let place, let whole): put(whole, at: place)
        case .death(let place, let death): change(place) { $0.die(death) }
        case .stored(let place, let mail, let isRemembered):
            change(place) { $0.mailbox.restore(mail, isRemembered: isRemembered) }
        case .gone(let place, let id): change(place) { $0.mailbox.forget(id) }
        case .channel(let app, let id, let storage): _ = channels.create(id, storage, of: app)
        case .channelGone(let app, let id): _ = channels.delete(id, of: app)
        case .broadcast(let app, let channel, let message): channels.restore(message, to: channel, of: app)
        case .noChannels: channels = ChannelRegistry()
        case .device(let id, let keyDigest): deviceKeys.restore(id, keyDigest)
        }
    }

    private mutating func put(_ whole: MailRecord.Whole, at place: Int) {
        while records.count <= place { records.append(nil) }
        records[place] = TokenRecord(whole, mailbox)
    }

    private mutating func change(_ place: Int, _ body: (inout TokenRecord) -> Void) {
        guard records.indices.contains(place), var record = records[place] else { return }
        // Avoids a copy: its mailbox is changed in place.
        records[place] = nil
        body(&record)
        records[place] = record
    }

    /// Moves the restored records into an empty state.
    ///
    /// - Throws: if the log has no record of a token that must have existed.
    func finish(_ state: inout GatewayState) throws(Problem) {
        for (place, record) in records.enumerated() {
            guard let record else {
                throw Problem(description: "The mail log has no record of token \(place), but has some of later ones.")
            }
            _ = state.add(record)
            guard let app = record.app else { continue }
            // Each dead token of an app raises the generation of its next token.
            if record.unregistered == nil {
                state.placeOfApp[app] = place
            } else {
                state.removals[app, default: 0] += 1
            }
        }
        state.channels = channels
        state.deviceKeys = deviceKeys
    }
}

extension TokenRecord {
    fileprivate init?(_ whole: MailRecord.Whole, _ empty: Mailbox) {
        guard let key = TokenKey(whole.token.token) else { return nil }
        token = key
        topic = whole.token.topic
        environment = whole.token.environment
        mailbox = empty
        app = whole.token.device.map {
            CourierServer.App(device: $0, topic: whole.token.topic, environment: whole.token.environment)
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

    /// The token as it was created.
    var asMade: MailRecord.Token {
        MailRecord.Token(token: token.token, topic: topic, environment: environment, device: app?.device)
    }

    /// The complete state of the token.
    var whole: MailRecord.Whole {
        MailRecord.Whole(
            token: asMade,
            death: unregistered.map { MailRecord.Death(date: $0, hasExpired: hasExpired) },
            mail: mailbox.kept,
            recent: mailbox.recentIDs
        )
    }
}

extension GatewayState {
    /// Appends the complete state of these tokens; with the first of them, also the channels and the keys of devices.
    mutating func appendCheckpoint(_ places: Range<Int>) {
        if places.lowerBound == 0 {
            tail?.append(.noChannels)
            for record in channels.records { tail?.append(record) }
            for record in deviceKeys.records { tail?.append(record) }
        }
        for place in places { tail?.append(.whole(place: place, records[place].whole)) }
    }
}

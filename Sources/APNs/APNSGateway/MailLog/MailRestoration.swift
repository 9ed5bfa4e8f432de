import DeviceLink
import Foundation
import PushModel

/// Builds a gateway's state anew from the records of its log.
struct MailRestoration {
    /// Why records make no sense together.
    struct Problem: Error, CustomStringConvertible {
        var description: String
    }

    /// As each token has it at first.
    private let mailbox: Mailbox
    /// By place. A record may speak of a place of which a checkpoint tells only later; what it says is told again there.
    private var records: [TokenRecord?] = []
    private var channels = ChannelRegistry()
    private var deviceKeys = DeviceKeys()

    init(_ mailbox: Mailbox) { self.mailbox = mailbox }

    /// Takes in all records of a frame.
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
        // Its mailbox is to be changed in its place.
        records[place] = nil
        body(&record)
        records[place] = record
    }

    /// Puts what was read into a state that knows nothing yet.
    ///
    /// - Throws: if the log does not tell of a token of which there must have been one.
    func finish(_ state: inout GatewayState) throws(Problem) {
        for (place, record) in records.enumerated() {
            guard let record else {
                throw Problem(description: "The mail log says nothing of token \(place), but of later ones.")
            }
            _ = state.add(record)
            guard let app = record.app else { continue }
            // The next token of an app is another one for each that has died.
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

    /// The end of a token, and of all that waited for it.
    mutating func die(_ death: MailRecord.Death) {
        unregistered = death.date
        hasExpired = death.hasExpired
        mailbox = mailbox.emptied
    }

    /// As it was made.
    var asMade: MailRecord.Token {
        MailRecord.Token(token: token.token, topic: topic, environment: environment, device: app?.device)
    }

    /// Everything about it.
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
    /// Says everything about these tokens; with the first of them, about channels and the keys of devices too.
    mutating func appendCheckpoint(_ places: Range<Int>) {
        if places.lowerBound == 0 {
            tail?.append(.noChannels)
            for record in channels.records { tail?.append(record) }
            for record in deviceKeys.records { tail?.append(record) }
        }
        for place in places { tail?.append(.whole(place: place, records[place].whole)) }
    }
}

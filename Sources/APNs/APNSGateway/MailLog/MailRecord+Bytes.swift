import APNSTransport
import DeviceLink
import Foundation
import PushModel

/// The format of records: a kind, then fields in a fixed order. Numbers are big-endian; texts and octets are
/// length-prefixed.
extension MailRecord {
    enum Kind: UInt8 {
        case token = 1
        case death
        case stored
        case gone
        case whole
        case channel
        case channelGone
        /// A channel message without a number, as versions wrote it that stored no subscriptions.
        case unnumberedBroadcast
        case noChannels
        case device
        case broadcast
        case subscribed
        case unsubscribed
        case heard
    }

    func write(to bytes: inout WireBytes) {
        switch self {
        case .token(let index, let token):
            bytes.write(.token, index)
            token.write(to: &bytes)
        case .death(let index, let death):
            bytes.write(.death, index)
            death.write(to: &bytes)
        case .stored(let index, let mail, let isRemembered):
            bytes.write(.stored, index)
            mail.write(isRemembered: isRemembered, to: &bytes)
        case .gone(let index, let id):
            bytes.write(.gone, index)
            bytes.write(id)
        case .whole(let index, let whole):
            bytes.write(.whole, index)
            whole.write(to: &bytes)
        case .channel(let app, let id, let storage):
            bytes.write(Kind.channel.rawValue)
            app.write(to: &bytes)
            bytes.write(text: id)
            bytes.write(UInt8(storage.rawValue))
        case .channelGone(let app, let id):
            bytes.write(Kind.channelGone.rawValue)
            app.write(to: &bytes)
            bytes.write(text: id)
        case .broadcast(let app, let channel, let message):
            bytes.write(Kind.broadcast.rawValue)
            app.write(to: &bytes)
            bytes.write(text: channel)
            message.write(to: &bytes)
            bytes.write(message.number)
        case .subscribed(let index, let subscription):
            bytes.write(.subscribed, index)
            subscription.write(to: &bytes)
        case .unsubscribed(let index): bytes.write(.unsubscribed, index)
        case .heard(let index, let number):
            bytes.write(.heard, index)
            bytes.write(number)
        case .noChannels:
            bytes.write(Kind.noChannels.rawValue)
        case .device(let id, let keyDigest):
            bytes.write(Kind.device.rawValue)
            bytes.write(text: id)
            bytes.write(octets: keyDigest.span)
        }
    }

    /// - Throws: ``MailRecordReader/Problem`` if the octets are not a record.
    init(from reader: inout MailRecordReader) throws(MailRecordReader.Problem) {
        guard let kind = Kind(rawValue: try reader.integer()) else { throw .init() }
        switch kind {
        case .token: self = .token(index: try reader.index(), try Token(from: &reader))
        case .death: self = .death(index: try reader.index(), try Death(from: &reader))
        case .stored:
            let index = try reader.index()
            let (mail, isRemembered) = try Mailbox.Kept.read(from: &reader)
            self = .stored(index: index, mail, isRemembered: isRemembered)
        case .gone: self = .gone(index: try reader.index(), try reader.id())
        case .whole: self = .whole(index: try reader.index(), try Whole(from: &reader))
        case .channel:
            let app = try ChannelRegistry.App(from: &reader)
            let id = try reader.text()
            guard let storage = ChannelStorage(rawValue: Int64(try reader.integer() as UInt8)) else { throw .init() }
            self = .channel(app, id: id, storage)
        case .channelGone: self = .channelGone(try ChannelRegistry.App(from: &reader), id: try reader.text())
        case .unnumberedBroadcast, .broadcast:
            let app = try ChannelRegistry.App(from: &reader)
            let channel = try reader.text()
            var message = try Broadcast(from: &reader)
            // Before all others: no device is known to have acknowledged it.
            message.number = kind == .broadcast ? try reader.integer() : 1
            self = .broadcast(app, channel: channel, message)
        case .subscribed: self = .subscribed(index: try reader.index(), try Subscription(from: &reader))
        case .unsubscribed: self = .unsubscribed(index: try reader.index())
        case .heard: self = .heard(index: try reader.index(), number: try reader.integer())
        case .noChannels: self = .noChannels
        case .device: self = .device(try reader.text(), keyDigest: try reader.octets())
        }
    }
}

extension MailRecord.Token {
    fileprivate func write(to bytes: inout WireBytes) {
        token.withBytes { bytes.write(octets: $0) }
        bytes.write(text: topic)
        bytes.write(environment.code)
        bytes.write(UInt8(device == nil ? 0 : 1))
        if let device { bytes.write(text: device) }
    }

    fileprivate init(from reader: inout MailRecordReader) throws(MailRecordReader.Problem) {
        token = DeviceToken(bytes: try reader.octets())
        topic = try reader.text()
        environment = try APNSEnvironment(code: try reader.integer())
        device = try reader.integer() as UInt8 == 0 ? nil : try reader.text()
    }
}

extension MailRecord.Death {
    fileprivate func write(to bytes: inout WireBytes) {
        bytes.write(date: date)
        bytes.write(UInt8(hasExpired ? 1 : 0))
    }

    fileprivate init(from reader: inout MailRecordReader) throws(MailRecordReader.Problem) {
        date = try reader.date()
        hasExpired = try reader.integer() as UInt8 != 0
    }
}

extension MailRecord.Whole {
    fileprivate func write(to bytes: inout WireBytes) {
        token.write(to: &bytes)
        bytes.write(UInt8(death == nil ? 0 : 1))
        death?.write(to: &bytes)
        bytes.write(UInt32(mail.count))
        for kept in mail { kept.write(isRemembered: false, to: &bytes) }
        bytes.write(UInt32(recent.count))
        for id in recent { bytes.write(id) }
    }

    fileprivate init(from reader: inout MailRecordReader) throws(MailRecordReader.Problem) {
        self.init(token: try MailRecord.Token(from: &reader))
        if try reader.integer() as UInt8 != 0 { death = try MailRecord.Death(from: &reader) }
        for _ in 0..<(try reader.integer() as UInt32) { mail.append(try Mailbox.Kept.read(from: &reader).mail) }
        for _ in 0..<(try reader.integer() as UInt32) { recent.append(try reader.id()) }
    }
}

extension Mailbox.Kept {
    private static let rememberedBit: UInt8 = 1
    private static let returnedBit: UInt8 = 2
    private static let collapseBit: UInt8 = 4

    fileprivate func write(isRemembered: Bool, to bytes: inout WireBytes) {
        Self.write(
            push.id,
            head: push.head,
            payload: push.payload.span,
            expiration: expiration,
            isReturned: isReturned,
            isRemembered: isRemembered,
            to: &bytes
        )
    }

    /// Writes a record for a push whose payload still belongs to the request.
    static func write(
        _ id: APNSID,
        head: PushHead,
        payload: Span<UInt8>,
        expiration: Date,
        isReturned: Bool,
        isRemembered: Bool,
        to bytes: inout WireBytes
    ) {
        var bits: UInt8 = isRemembered ? rememberedBit : 0
        if isReturned { bits |= returnedBit }
        if head.collapseID != nil { bits |= collapseBit }
        bytes.write(id)
        bytes.write(bits)
        bytes.write(date: expiration)
        bytes.write(UInt8(head.priority))
        bytes.write(text: head.topic)
        bytes.write(text: head.pushType?.rawValue ?? "")
        if let collapseID = head.collapseID { bytes.write(text: collapseID) }
        bytes.write(octets: payload)
    }

    fileprivate static func read(
        from reader: inout MailRecordReader
    ) throws(MailRecordReader.Problem) -> (mail: Mailbox.Kept, isRemembered: Bool) {
        let id = try reader.id()
        let bits: UInt8 = try reader.integer()
        let expiration = try reader.date()
        let priority: UInt8 = try reader.integer()
        let head = PushHead(
            topic: try reader.text(),
            pushType: try reader.pushType(),
            priority: Int(priority),
            collapseID: bits & collapseBit == 0 ? nil : try reader.text()
        )
        let push = StoredPush(id: id, head: reader.shared(head), payload: try reader.octets())
        let mail = Mailbox.Kept(push: push, expiration: expiration, isReturned: bits & returnedBit != 0)
        return (mail, bits & rememberedBit != 0)
    }
}

extension MailRecord.Subscription {
    fileprivate func write(to bytes: inout WireBytes) {
        bytes.write(text: device)
        bytes.write(text: channel.topic)
        bytes.write(channel.environment.code)
        bytes.write(text: channel.id)
        bytes.write(since)
        bytes.write(through)
    }

    fileprivate init(from reader: inout MailRecordReader) throws(MailRecordReader.Problem) {
        device = try reader.text()
        channel = CourierChannel(
            topic: try reader.text(),
            environment: try APNSEnvironment(code: try reader.integer()),
            id: try reader.text()
        )
        since = try reader.integer()
        through = try reader.integer()
    }
}

extension ChannelRegistry.App {
    fileprivate func write(to bytes: inout WireBytes) {
        bytes.write(text: bundleID)
        bytes.write(environment.code)
    }

    fileprivate init(from reader: inout MailRecordReader) throws(MailRecordReader.Problem) {
        bundleID = try reader.text()
        environment = try APNSEnvironment(code: try reader.integer())
    }
}

extension Broadcast {
    fileprivate func write(to bytes: inout WireBytes) {
        bytes.write(id)
        bytes.write(date: expiration)
        bytes.write(UInt8(priority))
        bytes.write(octets: payload.span)
    }

    fileprivate init(from reader: inout MailRecordReader) throws(MailRecordReader.Problem) {
        id = try reader.id()
        expiration = try reader.date()
        priority = Int(try reader.integer() as UInt8)
        payload = try reader.octets()
    }
}

extension APNSEnvironment {
    fileprivate var code: UInt8 {
        switch self {
        case .development: 0
        case .production: 1
        }
    }

    fileprivate init(code: UInt8) throws(MailRecordReader.Problem) {
        switch code {
        case 0: self = .development
        case 1: self = .production
        default: throw .init()
        }
    }
}

extension MailRecordReader {
    /// Reads a push type, which is empty for a push without one.
    fileprivate mutating func pushType() throws(Problem) -> APNSPushType? {
        let text = try text()
        return text.isEmpty ? nil : APNSPushType(rawValue: text)
    }
}

extension WireBytes {
    fileprivate mutating func write(_ kind: MailRecord.Kind, _ index: Int) {
        write(kind.rawValue)
        write(UInt32(index))
    }

    /// Writes a push that was taken in; the same as ``MailRecord/stored(index:_:isRemembered:)``, without creating the value.
    mutating func writeStored(
        index: Int,
        id: APNSID,
        head: PushHead,
        payload: Span<UInt8>,
        expiration: Date,
        isReturned: Bool,
        isRemembered: Bool
    ) {
        write(.stored, index)
        Mailbox.Kept.write(
            id,
            head: head,
            payload: payload,
            expiration: expiration,
            isReturned: isReturned,
            isRemembered: isRemembered,
            to: &self
        )
    }

    fileprivate mutating func write(_ id: APNSID) {
        write(id.high)
        write(id.low)
    }

    fileprivate mutating func write(date: Date) { write(date.timeIntervalSinceReferenceDate.bitPattern) }

    fileprivate mutating func write(octets: Span<UInt8>) {
        write(UInt32(octets.count))
        write(octets)
    }

    fileprivate mutating func write(text: String) { write(octets: text.utf8.span) }
}

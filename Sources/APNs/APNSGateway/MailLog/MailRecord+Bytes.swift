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
        case .token(let index, let token): bytes.write(.token, index, token)
        case .death(let index, let death): bytes.write(.death, index, death)
        case .stored(let index, let mail, let isRemembered):
            bytes.write(.stored, index)
            mail.write(isRemembered: isRemembered, to: &bytes)
        case .gone(let index, let id):
            bytes.write(.gone, index)
            id.write(to: &bytes)
        case .whole(let index, let whole): bytes.write(.whole, index, whole)
        case .channel(let channel, let storage): bytes.write(.channel, channel, UInt8(storage.rawValue))
        case .channelGone(let channel): bytes.write(.channelGone, channel)
        case .broadcast(let channel, let message): bytes.write(.broadcast, channel, message, message.number)
        case .subscribed(let index, let subscription): bytes.write(.subscribed, index, subscription)
        case .unsubscribed(let index): bytes.write(.unsubscribed, index)
        case .heard(let index, let number): bytes.write(.heard, index, number)
        case .noChannels: bytes.write(.noChannels)
        case .device(let id, let keyDigest):
            bytes.write(.device, id)
            bytes.write(octets: keyDigest.span)
        }
    }

    /// - Throws: ``MailRecordReader/Problem`` if the octets are not a record.
    init(from reader: inout MailRecordReader) throws(MailRecordReader.Problem) {
        guard let kind = Kind(rawValue: try reader.next()) else { throw .init() }
        switch kind {
        case .token: self = .token(index: try reader.next(), try reader.next())
        case .death: self = .death(index: try reader.next(), try reader.next())
        case .stored:
            let index: Int = try reader.next()
            let (mail, isRemembered) = try Mailbox.Kept.read(from: &reader)
            self = .stored(index: index, mail, isRemembered: isRemembered)
        case .gone: self = .gone(index: try reader.next(), try reader.next())
        case .whole: self = .whole(index: try reader.next(), try reader.next())
        case .channel:
            let channel: CourierChannel = try reader.next()
            guard let storage = ChannelStorage(rawValue: Int64(try reader.next() as UInt8)) else { throw .init() }
            self = .channel(channel, storage)
        case .channelGone: self = .channelGone(try reader.next())
        case .unnumberedBroadcast, .broadcast:
            let channel: CourierChannel = try reader.next()
            var message: Broadcast = try reader.next()
            // Before all others: no device is known to have acknowledged it.
            message.number = kind == .broadcast ? try reader.next() : 1
            self = .broadcast(channel, message)
        case .subscribed: self = .subscribed(index: try reader.next(), try reader.next())
        case .unsubscribed: self = .unsubscribed(index: try reader.next())
        case .heard: self = .heard(index: try reader.next(), number: try reader.next())
        case .noChannels: self = .noChannels
        case .device: self = .device(try reader.next(), keyDigest: try reader.octets())
        }
    }
}

/// A value with one form in records.
protocol MailField {
    func write(to bytes: inout WireBytes)
    init(from reader: inout MailRecordReader) throws(MailRecordReader.Problem)
}

extension MailRecord.Token: MailField {
    func write(to bytes: inout WireBytes) {
        token.withBytes { bytes.write(octets: $0) }
        bytes.write(fields: topic, environment, device)
    }

    init(from reader: inout MailRecordReader) throws(MailRecordReader.Problem) {
        token = DeviceToken(bytes: try reader.octets())
        topic = try reader.next()
        environment = try reader.next()
        device = try reader.next()
    }
}

extension MailRecord.Death: MailField {
    func write(to bytes: inout WireBytes) { bytes.write(fields: date, hasExpired) }

    init(from reader: inout MailRecordReader) throws(MailRecordReader.Problem) {
        date = try reader.next()
        hasExpired = try reader.next()
    }
}

extension MailRecord.Whole: MailField {
    func write(to bytes: inout WireBytes) {
        bytes.write(fields: token, death, UInt32(mail.count))
        for kept in mail { kept.write(isRemembered: false, to: &bytes) }
        bytes.write(UInt32(recent.count))
        for id in recent { id.write(to: &bytes) }
    }

    init(from reader: inout MailRecordReader) throws(MailRecordReader.Problem) {
        token = try reader.next()
        death = try reader.next()
        for _ in 0..<(try reader.next() as UInt32) { mail.append(try Mailbox.Kept.read(from: &reader).mail) }
        for _ in 0..<(try reader.next() as UInt32) { recent.append(try reader.next()) }
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
        id.write(to: &bytes)
        bytes.write(bits)
        expiration.write(to: &bytes)
        bytes.write(UInt8(head.priority))
        head.topic.write(to: &bytes)
        (head.pushType?.rawValue ?? "").write(to: &bytes)
        head.collapseID?.write(to: &bytes)
        bytes.write(octets: payload)
    }

    fileprivate static func read(
        from reader: inout MailRecordReader
    ) throws(MailRecordReader.Problem) -> (mail: Mailbox.Kept, isRemembered: Bool) {
        let id: APNSID = try reader.next()
        let bits: UInt8 = try reader.next()
        let expiration: Date = try reader.next()
        let priority: UInt8 = try reader.next()
        let topic: String = try reader.next()
        let pushType: String = try reader.next()
        let head = PushHead(
            topic: topic,
            pushType: pushType.isEmpty ? nil : APNSPushType(rawValue: pushType),
            priority: Int(priority),
            collapseID: bits & collapseBit == 0 ? nil : try reader.next() as String
        )
        let push = MailboxPush(id: id, head: reader.shared(head), payload: try reader.octets())
        let mail = Mailbox.Kept(push: push, expiration: expiration, isReturned: bits & returnedBit != 0)
        return (mail, bits & rememberedBit != 0)
    }
}

extension MailRecord.Subscription: MailField {
    func write(to bytes: inout WireBytes) { bytes.write(fields: device, channel, since, through) }

    init(from reader: inout MailRecordReader) throws(MailRecordReader.Problem) {
        device = try reader.next()
        channel = try reader.next()
        since = try reader.next()
        through = try reader.next()
    }
}

extension CourierChannel: MailField {
    func write(to bytes: inout WireBytes) { bytes.write(fields: topic, environment, id) }

    init(from reader: inout MailRecordReader) throws(MailRecordReader.Problem) {
        self.init(topic: try reader.next(), environment: try reader.next(), id: try reader.next())
    }
}

extension Broadcast: MailField {
    func write(to bytes: inout WireBytes) {
        bytes.write(fields: id, expiration, UInt8(priority))
        bytes.write(octets: payload.span)
    }

    init(from reader: inout MailRecordReader) throws(MailRecordReader.Problem) {
        id = try reader.next()
        expiration = try reader.next()
        priority = Int(try reader.next() as UInt8)
        payload = try reader.octets()
    }
}

// MARK: - Plain values

extension APNSEnvironment: MailField {
    func write(to bytes: inout WireBytes) { (self == .production).write(to: &bytes) }

    init(from reader: inout MailRecordReader) throws(MailRecordReader.Problem) {
        switch try reader.next() as UInt8 {
        case 0: self = .development
        case 1: self = .production
        default: throw .init()
        }
    }
}

extension MailField where Self: FixedWidthInteger & BitwiseCopyable {
    func write(to bytes: inout WireBytes) { bytes.write(self) }

    init(from reader: inout MailRecordReader) throws(MailRecordReader.Problem) { self = try reader.integer() }
}

extension UInt8: MailField {}
extension UInt32: MailField {}

/// An index, in 32 bits.
extension Int: MailField {
    func write(to bytes: inout WireBytes) { bytes.write(UInt32(self)) }

    init(from reader: inout MailRecordReader) throws(MailRecordReader.Problem) {
        self.init(try reader.next() as UInt32)
    }
}

extension Bool: MailField {
    func write(to bytes: inout WireBytes) { bytes.write(UInt8(self ? 1 : 0)) }

    init(from reader: inout MailRecordReader) throws(MailRecordReader.Problem) {
        self = try reader.next() as UInt8 != 0
    }
}

extension Date: MailField {
    func write(to bytes: inout WireBytes) { bytes.write(timeIntervalSinceReferenceDate.bitPattern) }

    init(from reader: inout MailRecordReader) throws(MailRecordReader.Problem) {
        self.init(timeIntervalSinceReferenceDate: Double(bitPattern: try reader.integer()))
    }
}

extension APNSID: MailField {
    func write(to bytes: inout WireBytes) {
        bytes.write(high)
        bytes.write(low)
    }

    init(from reader: inout MailRecordReader) throws(MailRecordReader.Problem) {
        self.init(high: try reader.integer(), low: try reader.integer())
    }
}

extension String: MailField {
    func write(to bytes: inout WireBytes) { bytes.write(octets: utf8.span) }

    init(from reader: inout MailRecordReader) throws(MailRecordReader.Problem) {
        guard let text = String(validating: try reader.octets(), as: UTF8.self) else { throw .init() }
        self = text
    }
}

extension Optional: MailField where Wrapped: MailField {
    func write(to bytes: inout WireBytes) {
        (self != nil).write(to: &bytes)
        self?.write(to: &bytes)
    }

    init(from reader: inout MailRecordReader) throws(MailRecordReader.Problem) {
        self = try reader.next() ? try reader.next() as Wrapped : nil
    }
}

extension WireBytes {
    mutating func write(_ kind: MailRecord.Kind, _ index: Int) {
        write(kind.rawValue)
        write(UInt32(index))
    }

    fileprivate mutating func write<each Field: MailField>(_ kind: MailRecord.Kind, _ fields: repeat each Field) {
        write(kind.rawValue)
        write(fields: repeat each fields)
    }

    fileprivate mutating func write<each Field: MailField>(fields: repeat each Field) {
        repeat (each fields).write(to: &self)
    }

    fileprivate mutating func write(octets: Span<UInt8>) {
        write(UInt32(octets.count))
        write(octets)
    }
}

/// Reads records one after another from the octets of a frame.
struct MailRecordReader {
    /// The octets are not records: the frame was written by another version of Posthorn.
    struct Problem: Error {}

    private let bytes: [UInt8]
    private var offset = 0
    /// The last head that was read; most pushes share the head of the previous push.
    private var head: PushHead?

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    mutating func integer<Value: FixedWidthInteger>() throws(Problem) -> Value {
        let size = MemoryLayout<Value>.size
        guard bytes.count - offset >= size else { throw Problem() }
        defer { offset += size }
        return bytes[offset..<offset + size].reduce(0) { $0 << 8 | Value($1) }
    }

    mutating func next<Field: MailField>() throws(Problem) -> Field { try Field(from: &self) }

    mutating func octets() throws(Problem) -> [UInt8] {
        let count = Int(try integer() as UInt32)
        guard bytes.count - offset >= count else { throw Problem() }
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    /// Returns an existing equal head, if it was the last one read.
    mutating func shared(_ head: PushHead) -> PushHead {
        if let last = self.head, last == head { return last }
        self.head = head
        return head
    }
}

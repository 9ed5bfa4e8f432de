import APNSTransport
import DeviceLink
import Foundation
import PushModel
import Testing

@testable import APNSGateway

@Suite("Mail records")
struct MailRecordTests {
    private static let id = APNSID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)
    private static let head = PushHead(
        topic: "com.example.app",
        pushType: .alert,
        priority: 5,
        collapseID: "Spiel – 3:2"
    )
    private static let kept = Mailbox.Kept(
        push: MailboxPush(id: id, head: head, payload: Array(#"{"aps":{}}"#.utf8)),
        expiration: Date(timeIntervalSince1970: 1_800_000_000.25),
        isReturned: true
    )
    private static let token = MailRecord.Token(
        token: DeviceToken(bytes: (0..<32).map { $0 * 7 }),
        topic: "com.example.app",
        environment: .production,
        device: "phone"
    )
    private static let channel = CourierChannel(topic: "com.example.app", environment: .development, id: "AQID")
    private static let broadcast = Broadcast(
        id: id,
        payload: [0, 255],
        priority: 10,
        expiration: Date(timeIntervalSince1970: 1_800_000_000)
    )

    static let all: [MailRecord] = [
        .token(index: 0, token),
        .token(
            index: 4_000_000_000,
            MailRecord.Token(token: token.token, topic: "", environment: .development, device: nil)
        ),
        .death(index: 3, MailRecord.Death(date: Date(timeIntervalSince1970: 1), hasExpired: true)),
        .stored(index: 9, kept, isRemembered: true),
        .stored(
            index: 9,
            Mailbox.Kept(
                push: MailboxPush(
                    id: id,
                    head: PushHead(
                        topic: "t",
                        pushType: APNSPushType(rawValue: "custom"),
                        priority: 1,
                        collapseID: nil
                    ),
                    payload: []
                ),
                expiration: .distantFuture
            ),
            isRemembered: false
        ),
        .stored(
            index: 9,
            Mailbox.Kept(
                push: MailboxPush(
                    id: id,
                    head: PushHead(topic: "t", pushType: nil, priority: 5, collapseID: "c"),
                    payload: []
                ),
                expiration: .distantFuture
            ),
            isRemembered: false
        ),
        .gone(index: 1, id),
        .whole(index: 2, MailRecord.Whole(token: token)),
        .whole(
            index: 2,
            MailRecord.Whole(
                token: token,
                death: MailRecord.Death(date: Date(timeIntervalSince1970: 7), hasExpired: false),
                mail: [kept, kept],
                recent: [id, APNSID(high: 1, low: 2)]
            )
        ),
        .channel(channel, .newest),
        .channelGone(channel),
        .broadcast(channel, broadcast),
        .noChannels, .device("phone", keyDigest: [1, 2, 3]),
        .subscribed(
            index: 5,
            MailRecord.Subscription(
                device: "phone",
                channel: CourierChannel(topic: "com.example.app", environment: .production, id: "AQID"),
                since: 7,
                through: 4_000_000_000
            )
        ),
        .unsubscribed(index: 5), .heard(index: 4_000_000_000, number: 9),
    ]

    private func bytes(_ records: [MailRecord]) -> [UInt8] {
        var bytes = WireBytes()
        for record in records { record.write(to: &bytes) }
        return bytes.read { [UInt8](copying: $0) }
    }

    @Test("Each record is read as it was written, one behind the other")
    func reads() throws {
        var reader = MailRecordReader(bytes(Self.all))
        var read: [MailRecord] = []
        while !reader.isAtEnd { read.append(try MailRecord(from: &reader)) }
        #expect(read == Self.all)
    }

    @Test("A record that is cut off anywhere is none", arguments: all)
    func cut(_ record: MailRecord) {
        let whole = bytes([record])
        for count in 0..<whole.count {
            var reader = MailRecordReader(Array(whole[..<count]))
            #expect(throws: MailRecordReader.Problem.self) { try MailRecord(from: &reader) }
        }
    }

    @Test("A stored channel message of a version without subscriptions comes before all others")
    func unnumbered() throws {
        var old = Array(bytes([.broadcast(Self.channel, Self.broadcast)]).dropLast(4))
        old[0] = 8
        var reader = MailRecordReader(old)
        var message = Self.broadcast
        message.number = 1
        #expect(try MailRecord(from: &reader) == .broadcast(Self.channel, message))
        #expect(reader.isAtEnd)
    }

    @Test("Octets that no record begins with are none")
    func unknown() {
        for first in [0, 15, 255] as [UInt8] {
            var reader = MailRecordReader([first] + Array(repeating: 0, count: 64))
            #expect(throws: MailRecordReader.Problem.self) { try MailRecord(from: &reader) }
        }
    }
}

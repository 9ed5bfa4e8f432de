import DeviceLink
import Foundation
import PushClock
import PushModel
import Testing

@testable import APNSGateway

@Suite("Broadcast channels: what became of a message, for each device")
struct BroadcastStandingTests {
    private func standing(_ world: World, _ id: String, _ device: FakeDevice) throws -> BroadcastStanding {
        try #require(world.gateway.broadcastStanding(of: id, for: device.name))
    }

    @Test("Each state has a sentence in Chinese, and no other does")
    func chinese() {
        let words = Words.chinese.verdicts.keys.filter { $0.hasPrefix("standing_") }
        #expect(words.sorted() == BroadcastStanding.State.allCases.map { "standing_\($0.rawValue)" }.sorted())
    }

    @Test("Delivered, sent, lost, not linked and not stored, not subscribed, subscribed later")
    func withoutStorage() throws {
        let world = try World()
        let desk = ChannelDesk(world)
        let channel = try desk.create(policy: 0)
        let names = ["delivered", "sent", "lost", "away", "stranger", "late"]
        let devices = names.map { FakeDevice($0, at: world.gateway) }
        for device in devices[..<4] { device.subscribe(to: channel) }
        devices[3].disconnect()
        let (id, unique) = desk.publish(to: channel)
        devices[0].say(.ack(apnsID: id))
        devices[2].disconnect()
        devices[5].subscribe(to: channel)
        let found = try devices.map { try standing(world, id, $0).state }
        #expect(found == [.delivered, .sent, .lost, .notStored, .notSubscribed, .subscribedLater])
        let away = try standing(world, unique.uppercased(), devices[3])
        #expect(
            away.sentence
                == "not delivered: the device was not linked when it was sent, and the channel stores nothing "
                + "(message-storage-policy 0)"
        )
        #expect(world.gateway.broadcastStanding(of: id, for: "nobody") == nil)
        #expect(world.gateway.broadcastStanding(of: UUID().uuidString, for: "sent") == nil)
        let all = try #require(world.gateway.standing(of: unique))
        #expect(all.state == "delivered" && all.apnsID == id)
        let facts = try #require(all.json["broadcast"]?.object)
        #expect(["subscribers", "sent", "delivered"].map { facts[$0]?.integer } == [4, 3, 1])
    }

    @Test("Waiting, coalesced, expired, deleted, and stored without a date")
    func withStorage() async throws {
        let world = try World()
        let desk = ChannelDesk(world)
        let channel = try desk.create(policy: 1)
        let phone = FakeDevice("phone", at: world.gateway)
        phone.subscribe(to: channel)
        phone.disconnect()
        let first = desk.publish(to: channel, stored: 60).id
        #expect(try standing(world, first, phone).state == .waiting)
        #expect(world.gateway.standing(of: first)?.state == "stored")
        let second = desk.publish(to: channel, stored: 60).id
        let coalesced = try standing(world, first, phone)
        #expect(coalesced.state == .coalesced && coalesced.sentence.contains(second))
        await world.clock.advance(by: .seconds(60))
        world.gateway.expire()
        let expired = try standing(world, second, phone)
        #expect(expired.state == .expired && expired.sentence.hasPrefix("not delivered: it expired at "))
        let undated = try standing(world, desk.publish(to: channel).id, phone)
        #expect(undated.state == .notStored && undated.sentence.contains("its apns-expiration was not in the future"))
        let last = desk.publish(to: channel, stored: 60).id
        desk.delete(channel)
        #expect(try standing(world, last, phone).state == .notSubscribed)
        #expect(world.gateway.standing(of: last)?.state == "expired")
    }

    @Test("A device's own events are told for it alone, and only of messages that were sent to it")
    func events() throws {
        let world = try World()
        let desk = ChannelDesk(world)
        let channel = try desk.create(policy: 0)
        let devices = ["phone", "tablet", "stranger"].map { FakeDevice($0, at: world.gateway) }
        for device in devices[..<2] { device.subscribe(to: channel) }
        let id = desk.publish(to: channel).id
        func event(_ kind: JourneyEvent.Kind) -> JourneyEvent {
            JourneyEvent(date: world.clock.date, station: .device, kind: kind)
        }
        devices[0].say(.events([CourierEvent(number: 1, apnsID: id, event: event(.suppressed(.noSubscribedActivity)))]))
        devices[2].say(.events([CourierEvent(number: 1, apnsID: id, event: event(.opened))]))
        let told = try devices.map { try standing(world, id, $0).events.map(\.kind) }
        #expect(told == [[.suppressed(.noSubscribedActivity)], [], []])
        #expect(world.sink.kinds(of: id) == [.suppressed(.noSubscribedActivity)])
    }

    @Test("The latest thousand messages that are over are remembered, and all that are stored")
    func bounded() {
        var log = BroadcastLog()
        func facts(_ number: UInt32, _ state: BroadcastFacts.State) -> BroadcastFacts {
            BroadcastFacts(
                id: APNSID(high: 1, low: UInt64(number)),
                uniqueID: APNSID(high: 2, low: UInt64(number)),
                number: number,
                channel: CourierChannel(topic: bundleID, environment: .development, id: "AAAA"),
                state: state
            )
        }
        log.add(facts(1, .stored(until: .distantFuture)))
        for number in 2...1002 as ClosedRange<UInt32> { log.add(facts(number, .notStored(isPolicy: true))) }
        #expect(log.facts(of: APNSID(high: 1, low: 2)) == nil && log.facts(of: APNSID(high: 2, low: 2)) == nil)
        #expect(log.facts(of: APNSID(high: 2, low: 3))?.number == 3)
        #expect(log.facts(of: APNSID(high: 1, low: 1))?.number == 1)
        log.end(APNSID(high: 1, low: 1), as: .deleted)
        #expect(log.facts(of: APNSID(high: 1, low: 3)) == nil && log.facts(of: APNSID(high: 1, low: 1)) != nil)
    }
}

@Suite("Sets of numbers, and subscriptions")
struct ChannelSubscriptionTests {
    @Test("A set of numbers is what a Set is, sparse and dense", arguments: [10, 1000, 100_000] as [UInt32])
    func numbers(_ range: UInt32) {
        var random = SplitMix(seed: UInt64(range))
        var set = NumberSet()
        var expected = Set<UInt32>()
        for _ in 0..<3000 {
            let number = UInt32.random(in: 0..<range, using: &random)
            #expect(set.insert(number) == expected.insert(number).inserted)
        }
        #expect(set.count == expected.count)
        for number in 0..<min(range + 70, 5000) { #expect(set.contains(number) == expected.contains(number)) }
        let made = NumberSet(Array(expected) + Array(expected))
        #expect(made.count == expected.count && expected.allSatisfy(made.contains))
    }

    @Test("Subscriptions are what a Set of pairs is, whatever comes and goes", arguments: 0..<4 as Range<UInt64>)
    func model(_ seed: UInt64) {
        var random = SplitMix(seed: seed)
        var table = ChannelSubscriptions()
        var expected: Set<[UInt32]> = []
        func channel(_ number: UInt32) -> CourierChannel {
            CourierChannel(topic: bundleID, environment: .production, id: "c\(number)")
        }
        for step in 0..<4000 {
            let device = UInt32.random(in: 0..<20, using: &random)
            let number = UInt32.random(in: 0..<8, using: &random)
            let index = table.index(of: device, in: channel(number))
            #expect((index != nil) == expected.contains([device, number]))
            if step % 500 == 499 {
                table.remove(channel(number))
                expected = expected.filter { $0[1] != number }
            } else if let index {
                table.remove(at: index)
                expected.remove([device, number])
            } else {
                _ = table.add(device, to: channel(number), since: 0)
                expected.insert([device, number])
            }
        }
        for number in 0..<8 as Range<UInt32> {
            #expect(table.count(of: channel(number)) == expected.count { $0[1] == number })
        }
        for device in 0..<20 as Range<UInt32> {
            let subscriptions = table.indices(of: device).compactMap { table.subscription(at: $0) }
            let found = subscriptions.map { table.channel(of: $0).id }
            #expect(Set(found) == Set(expected.filter { $0[0] == device }.map { "c\($0[1])" }))
            #expect(found.count == Set(found).count)
        }
        #expect(table.indexCount <= 160)
    }
}

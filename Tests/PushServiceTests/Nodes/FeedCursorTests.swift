import Foundation
import PushModel
import Testing

@testable import PushService

private let own = NodeID(rawValue: 1)
private let second = NodeID(rawValue: 2)
private let third = NodeID(rawValue: 3)

private func device(_ ordinal: DeviceOrdinal, version: UInt32 = 1, app: App.ID = 1) -> AudienceEntry {
    AudienceEntry(
        id: DeviceID(app: app, ordinal: ordinal),
        version: version,
        token: nil,
        environment: .production,
        alias: nil,
        tags: [],
        badge: 0,
        lastSeen: Date(timeIntervalSince1970: 0)
    )
}

/// Moves a cursor on over a page.
private func work(_ cursor: inout FeedCursor, _ entries: [FeedEntry], through: FeedPositions) throws -> FeedWork {
    let work = cursor.advance(over: FeedPage(entries: entries, through: through))
    return try #require(work)
}

@Suite("The place in the logs of other nodes")
struct FeedCursorTests {
    @Test("Each node has its own position, and only greater ones count")
    func positions() throws {
        var cursor = FeedCursor(reader: own, from: [second: 10])
        let entries = [
            FeedEntry(node: second, position: 10, change: .device(device(0))),
            FeedEntry(node: second, position: 11, change: .device(device(1))),
            FeedEntry(node: third, position: 1, change: .device(device(2))),
        ]
        let first = try work(&cursor, entries, through: [second: 11, third: 4])
        #expect(first.devices.map(\.id.ordinal) == [1, 2])
        #expect(cursor.positions == [second: 11, third: 4])
        // The same page again, as after a failure between reading and recording.
        let again = try work(&cursor, entries, through: [second: 11, third: 4])
        #expect(again == FeedWork())
        #expect(cursor.positions == [second: 11, third: 4])
    }

    @Test("A position never moves back")
    func monotony() {
        var cursor = FeedCursor(reader: own, from: [second: 10])
        _ = cursor.advance(over: FeedPage(entries: [], through: [second: 5]))
        #expect(cursor.positions == [second: 10])
    }

    @Test("The newest version of a device's state counts, whichever node wrote it")
    func versions() throws {
        var cursor = FeedCursor(reader: own, from: [:])
        let entries = [
            FeedEntry(node: third, position: 1, change: .device(device(5, version: 9))),
            FeedEntry(node: second, position: 1, change: .device(device(5, version: 8))),
        ]
        let found = try work(&cursor, entries, through: [second: 1, third: 1])
        #expect(found.devices == [device(5, version: 9)])
    }

    @Test("A deletion is final, wherever it stands among the states")
    func tombstones() throws {
        var cursor = FeedCursor(reader: own, from: [:])
        let id = DeviceID(app: 1, ordinal: 5)
        let entries = [
            FeedEntry(node: second, position: 1, change: .deviceDeleted(id)),
            FeedEntry(node: third, position: 1, change: .device(device(5, version: 9))),
            FeedEntry(node: second, position: 2, change: .deviceDeleted(DeviceID(app: 1, ordinal: 3))),
        ]
        let found = try work(&cursor, entries, through: [second: 2, third: 1])
        #expect(found.devices.isEmpty)
        #expect(found.deleted == [1: [3, 5]])
    }

    @Test("Apps and credentials are invalidated, tags keep their order")
    func others() throws {
        var cursor = FeedCursor(reader: own, from: [:])
        let entries: [FeedEntry] = [
            FeedEntry(node: second, position: 1, change: .apps),
            FeedEntry(node: second, position: 2, change: .credentials(4)),
            FeedEntry(node: second, position: 3, change: .tagsKept(["a"], 4)),
            FeedEntry(node: second, position: 4, change: .tagForgotten("a", 4)),
            FeedEntry(node: second, position: 5, change: .withdrawn(MessageID(77))),
        ]
        let found = try work(&cursor, entries, through: [second: 5])
        #expect(found.hasNewApps)
        #expect(found.credentials == [4])
        #expect(found.tags == [.kept(["a"], 4), .forgotten("a", 4)])
        #expect(found.withdrawn == [MessageID(77)])
    }

    @Test("Only links that left this node concern it, each by its newest number")
    func moves() throws {
        var cursor = FeedCursor(reader: own, from: [:])
        let id = DeviceID(app: 1, ordinal: 5)
        let entries: [FeedEntry] = [
            FeedEntry(node: second, position: 1, change: .linkMoved(id, from: own, number: 4)),
            FeedEntry(node: third, position: 1, change: .linkMoved(id, from: own, number: 3)),
            FeedEntry(node: third, position: 2, change: .linkMoved(id, from: second, number: 9)),
        ]
        let found = try work(&cursor, entries, through: [second: 1, third: 2])
        #expect(found.moved == [id: 4])
    }

    @Test("A node that was away until its place was deleted has to start again")
    func truncation() {
        var cursor = FeedCursor(reader: own, from: [second: 10])
        let entry = FeedEntry(node: second, position: 99, change: .apps)
        let work = cursor.advance(over: FeedPage(entries: [entry], through: [second: 99], isTruncated: true))
        #expect(work == nil)
        #expect(cursor.positions == [second: 10])
    }
}

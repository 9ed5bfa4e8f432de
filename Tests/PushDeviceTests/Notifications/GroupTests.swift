import CallbackMatrix
import Foundation
import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit

private let lab = InstalledApp.lab.bundleID

@Suite("Groups in the notification centre")
@MainActor
struct GroupTests {
    private func phone(_ system: Int = 17, format: String? = nil) async -> TestPhone {
        let phone = await TestPhone(.iOS(system)).opening { CompleteMatrixApp.make(MatrixAppPlan()) }
        let category = UNNotificationCategory(
            identifier: "mail",
            actions: [],
            intentIdentifiers: [],
            hiddenPreviewsBodyPlaceholder: "%u letters",
            categorySummaryFormat: format
        )
        await phone.inCentre { $0.setNotificationCategories([category]) }
        await phone.background(.lab)
        return phone
    }

    private func push(_ title: String, thread: String = "", to phone: TestPhone) async {
        await phone.push(
            ["aps": ["alert": ["title": .string(title)], "thread-id": .string(thread), "category": "mail"]],
            to: .lab
        )
    }

    /// A local notification that says whom it is from, and how many it stands for.
    private func add(_ identifier: String, from name: String, count: Int, to phone: TestPhone) throws {
        var content = ContentRecord()
        content.title = identifier
        content.categoryIdentifier = "mail"
        content.summaryArgument = name
        content.summaryArgumentCount = count
        try phone.device.addLocal(RequestRecord(identifier: identifier, content: content, trigger: nil), to: lab)
    }

    @Test("Entries of one thread lie on one stack; the stack with the newest comes first")
    func threads() async {
        let phone = await phone()
        for (title, thread) in [("1", "a"), ("2", "b"), ("3", "a"), ("4", "")] {
            await push(title, thread: thread, to: phone)
        }
        let groups = phone.device.screen.groups
        #expect(groups.map(\.threadIdentifier) == ["", "a", "b"])
        #expect(groups.map { $0.notifications.map(\.title) } == [["4"], ["3", "1"], ["2"]])
        #expect(groups.map(\.count) == [1, 2, 1])
        #expect(groups.map(\.summary) == [nil, "1 more notification", nil])
        #expect(phone.device.screen.list.map(\.title) == ["4", "3", "2", "1"])
    }

    @Test("The user groups by app, or not at all; before iOS 12 nothing is grouped")
    func choice() async {
        let phone = await phone()
        for thread in ["a", "b", "a"] { await push(thread, thread: thread, to: phone) }
        phone.device.changeSettings(of: lab) { $0.grouping = .byApp }
        #expect(phone.device.screen.groups.map(\.count) == [3])
        #expect(phone.device.screen.groups.first?.summary == "2 more notifications")
        phone.device.changeSettings(of: lab) { $0.grouping = .off }
        #expect(phone.device.screen.groups.map(\.count) == [1, 1, 1])
        let old = await self.phone(11)
        for thread in ["a", "a"] { await push(thread, thread: thread, to: old) }
        #expect(old.device.screen.groups.map(\.count) == [1, 1])
    }

    @Test(
        "The category's format has the number of those below, and whom they are from",
        arguments: [
            (13, "%u more letters from %@", "5 more letters from Bo and Ann", 6),
            (13, "%u%% more", "5% more", 6),
            (13, "", "5 more notifications", 6),
            // Since iOS 15 arguments and counts are ignored.
            (15, "%u more letters from %@", "3 more notifications", 4),
            (15, "%u more letters", "3 more letters", 4),
        ]
    )
    func summary(system: Int, format: String, text: String, count: Int) async throws {
        let phone = await phone(system, format: format)
        for (identifier, name, count) in [("1", "Ann", 3), ("2", "Bo", 1), ("3", "Bo", 1), ("4", "Cy", 1)] {
            try add(identifier, from: name, count: count, to: phone)
        }
        let group = try #require(phone.device.screen.groups.first)
        #expect(group.summary == text)
        #expect(group.count == count)
    }

    @Test("A push names its argument and count in its alert or beside it; a count of 0 is 1")
    func remote() async throws {
        let phone = await phone(13, format: "%u more from %@")
        let pushes: [JSONValue] = [
            ["alert": ["title": "1", "summary-arg": "Ann", "summary-arg-count": 0], "category": "mail"],
            ["alert": "2", "summary-arg": "Bo", "summary-arg-count": 4, "category": "mail"],
            ["alert": ["title": "3", "summary-arg": "Cy"], "category": "mail"],
        ]
        for aps in pushes { await phone.push(["aps": aps], to: .lab) }
        let group = try #require(phone.device.screen.groups.first)
        #expect(group.summary == "5 more from Bo and Ann")
        #expect(group.count == 6)
    }

    @Test("The notification centre keeps 100 entries of an app; the oldest goes, and its journey says so")
    func limit() async {
        let phone = await phone()
        var pushes: [String] = []
        for number in 0..<300 { pushes.append(await phone.push(["aps": ["alert": .string("\(number)")]], to: .lab)) }
        #expect(phone.device.screen.list.map(\.body) == (200..<300).reversed().map(String.init))
        #expect(phone.journeys.kinds(of: pushes[199]).last == .evicted(limit: 100))
        #expect(phone.journeys.kinds(of: pushes[200]).last == .presented(.list))
        // The last 1000 happenings are kept in order.
        let recent = phone.device.recentDeviceEvents
        #expect(recent.count == 1000)
        let arrived = recent.compactMap { deviceEvent in
            if case .pushArrived(let apnsID) = deviceEvent.kind { apnsID } else { nil }
        }
        #expect(arrived == pushes.suffix(arrived.count) && arrived.count > 100)
    }

    @Test("Hidden previews count the thread, and its line names nobody")
    func hidden() async throws {
        let phone = await phone(13, format: "%u more from %@")
        phone.device.changeSettings(of: lab) { $0.showPreviews = 2 }
        try add("1", from: "Ann", count: 1, to: phone)
        try add("2", from: "Bo", count: 1, to: phone)
        await push("3", thread: "other", to: phone)
        let screen = phone.device.screen
        #expect(screen.list.map(\.body) == ["1 letters", "2 letters", "2 letters"])
        #expect(screen.groups.map(\.summary) == [nil, "1 more notification"])
    }
}

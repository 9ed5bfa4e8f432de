import PushModel
import Synchronization
import SystemPort

extension SystemPortConformance {
    /// The calls that only read, with the name of the reply's case.
    private static let readers: [(call: SystemCall, reply: String)] = [
        (.notificationSettings, "settings"), (.facts, "facts"), (.categories, "categories"),
        (.deliveredNotifications, "notifications"), (.pendingRequests, "requests"),
        (.readStorage(key: "absent"), "value"), (.storageKeys(prefix: "absent"), "storageKeys"),
        (.canOpen(url: "conformance-nobody://x"), "opened"),
        (.shortcuts, "shortcuts"),
    ]

    private static func kind(of reply: SystemReply) -> String {
        String("\(reply)".prefix { $0 != "(" })
    }

    private static let categories = ["one", "two"].map { name in
        CategoryRecord(
            identifier: name,
            actions: [ActionRecord(identifier: "\(name).go", title: "Go \(name)", options: ActionRecord.foreground)],
            intentIdentifiers: [],
            options: CategoryRecord.customDismissAction
        )
    }

    static let reading = [
        Clause("A call that reads is answered with its own kind, called and read") { stage in
            for (call, name) in readers {
                try stage.expect(kind(of: try stage.read(call)), name, as: "the kind of reply read for \(call)")
                try stage.expect(kind(of: try await stage.call(call)), name, as: "the kind of reply to \(call)")
            }
        },
        Clause("Each completion is called once") { stage in
            let changes: [SystemCall] = [
                .setCategories(categories), .writeStorage(key: "k", value: "v"), .setBadge(0), .removeAllPending,
                .removeAllDelivered, .setShortcuts([]), .keepRunning(true), .keepRunning(false), .warn("a remark"),
            ]
            let calls = readers.map(\.call) + changes
            let counts = Counts(calls.count)
            for (index, call) in calls.enumerated() { try stage.port.call(call) { _ in counts.add(index) } }
            for index in calls.indices {
                try await stage.soon("the completion of \(calls[index])") { try await counts.first(index) }
            }
            // A second completion of an earlier call is not later than the reply to a later one.
            try await stage.call(.facts)
            for index in calls.indices {
                try stage.expect(counts[index], 1, as: "the number of completions of \(calls[index])")
            }
        },
        Clause("A read sees what earlier calls have changed") { stage in
            for number in 1...20 {
                try stage.port.call(.writeStorage(key: "count", value: "\(number)")) { _ in }
                let count = try stage.read(.readStorage(key: "count"))
                try stage.expect(count, .value("\(number)"), as: "the stored value")
            }
        },
        Clause("Categories are replaced as a whole, and keep their buttons") { stage in
            try await stage.change(.setCategories(categories))
            try stage.expect(Set(try stage.categories()), Set(categories), as: "the categories")
            try await stage.change(.setCategories([categories[1]]))
            try stage.expect(try stage.categories(), [categories[1]], as: "the categories")
            try await stage.change(.setCategories([]))
            try stage.expect(try stage.categories(), [], as: "the categories")
        },
        Clause("The badge is a fact of the app, and 0 removes it") { stage in
            try await stage.permit()
            for number in [3, 0] {
                try await stage.change(.setBadge(number))
                guard case .facts(let facts) = try stage.read(.facts) else {
                    throw stage.unexpected(.facts, "facts")
                }
                try stage.expect(facts.iconBadge, number, as: "the badge in the facts")
            }
        },
        Clause("Quick actions of the app are replaced as a whole") { stage in
            let shortcut = ShortcutRecord(type: "new", title: "New")
            try await stage.change(.setShortcuts([shortcut]))
            try stage.expect(try stage.read(.shortcuts), .shortcuts([shortcut]), as: "the quick actions")
            try await stage.change(.setShortcuts([]))
            try stage.expect(try stage.read(.shortcuts), .shortcuts([]), as: "the quick actions")
        },
    ]

    static let storage = [
        Clause("A stored value is replaced, and nil removes it") { stage in
            let key = "a key with spaces/and \"quotes\""
            try stage.expect(try stage.read(.readStorage(key: key)), .value(nil), as: "a value never stored")
            for value in ["first", "second – 中 🎉", ""] {
                try await stage.change(.writeStorage(key: key, value: value))
                try stage.expect(try stage.read(.readStorage(key: key)), .value(value), as: "the stored value")
            }
            try await stage.change(.writeStorage(key: key, value: nil))
            try stage.expect(try stage.read(.readStorage(key: key)), .value(nil), as: "a removed value")
        },
        Clause("Stored values are found by the beginning of their keys") { stage in
            for key in ["found.b", "found.a", "find", "found"] {
                try await stage.change(.writeStorage(key: key, value: "x"))
            }
            try await stage.change(.writeStorage(key: "found.gone", value: "x"))
            try await stage.change(.writeStorage(key: "found.gone", value: nil))
            let found = try stage.read(.storageKeys(prefix: "found."))
            try stage.expect(found, .storageKeys(["found.a", "found.b"]), as: "the keys, sorted")
        },
        Clause("Calls from several threads are all carried out") { stage in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<64 {
                    group.addTask { try await stage.change(.writeStorage(key: "\(number)", value: "value \(number)")) }
                }
                try await group.waitForAll()
            }
            for number in 0..<64 {
                try stage.expect(
                    try stage.read(.readStorage(key: "\(number)")),
                    .value("value \(number)"),
                    as: "the value of key \(number)"
                )
            }
        },
        Clause("Stored values outlive the process", needs: [.relaunch]) { stage in
            try await stage.change(.writeStorage(key: "kept", value: "still here"))
            try await stage.host.terminate()
            try await stage.launch()
            let kept = try stage.read(.readStorage(key: "kept"))
            try stage.expect(kept, .value("still here"), as: "the value of the last process")
        },
    ]
}

extension Stage {
    fileprivate func categories() throws -> [CategoryRecord] {
        guard case .categories(let list) = try read(.categories) else {
            throw unexpected(.categories, "a list")
        }
        return list
    }
}

import APNSGateway
import AppleDeveloper
import Foundation
import TestSupport
import Testing

@Suite("App IDs")
struct AppIDTests {
    @Test("Takes an explicit bundle id", arguments: ["com.example.app", "com.example", "org.Example-2.a.b9"])
    func takes(_ bundleID: String) throws {
        #expect(try AppID(bundleID: bundleID, hasPush: true).bundleID == bundleID)
    }

    @Test(
        "Refuses what is none",
        arguments: [
            "", "app", "com..app", ".com.app", "com.app.", "com/app.a", "../../com.app", "com.ex ample", "com.é",
        ]
    )
    func refuses(_ bundleID: String) {
        #expect(throws: DeveloperProblem.self) { try AppID(bundleID: bundleID, hasPush: true) }
    }

    @Test("Says why a wildcard cannot have push", arguments: ["*", "com.example.*"])
    func wildcard(_ bundleID: String) {
        let problem = #expect(throws: DeveloperProblem.self) { try AppID(bundleID: bundleID, hasPush: true) }
        #expect(
            problem?.description
                == "'\(bundleID)' is a wildcard App ID, and push needs an explicit one: a device token "
                + "and a certificate belong to exactly one app. Expected a bundle id such as 'com.example.app'."
        )
    }

    @Test("Are kept in the data folder, where another command finds them")
    func store() async throws {
        try await withTemporaryPath { folder in
            let store = AppIDStore(folder: folder)
            #expect(try store.all() == [])
            let app = try AppID(bundleID: "com.example.app", hasPush: true)
            let other = try AppID(bundleID: "com.example.another", hasPush: false)
            try store.create(app)
            try store.create(other)
            #expect(try AppIDStore(folder: folder).all() == [other, app])
            #expect(try store.get("com.example.app") == app)
            var changed = app
            changed.hasPush = false
            try store.replace(changed)
            #expect(try store.get("com.example.app") == changed)
        }
    }

    @Test("Says what to do when one is missing, there already, or damaged")
    func problems() async throws {
        try await withTemporaryPath { folder in
            let store = AppIDStore(folder: folder)
            let app = try AppID(bundleID: "com.example.app", hasPush: true)
            for bundleID in ["com.example.app", "../../etc/passwd"] {
                let missing = #expect(throws: DeveloperProblem.self) { try store.get(bundleID) }
                #expect(missing?.description.hasPrefix("There is no App ID '\(bundleID)'; 'posthorn appid") == true)
            }
            #expect(throws: DeveloperProblem.self) { try store.replace(app) }
            try store.create(app)
            let twice = #expect(throws: DeveloperProblem.self) { try store.create(app) }
            #expect(twice?.description.hasPrefix("There is an App ID 'com.example.app' already.") == true)
            let file = URL(filePath: folder).appending(path: "developer/appids/com.example.app.json")
            try Data("{}".utf8).write(to: file)
            let damaged = #expect(throws: DeveloperProblem.self) { try store.get("com.example.app") }
            #expect(damaged?.description.contains("expected an object with 'bundle_id' and 'push'") == true)
        }
    }
}

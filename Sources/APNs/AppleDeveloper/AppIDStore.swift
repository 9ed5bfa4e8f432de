import Foundation
import PushModel

/// The App IDs of a gateway: one file each in its data folder, so that commands can run concurrently.
package struct AppIDStore: Sendable {
    private let folder: URL

    /// `folder` is the gateway's data folder.
    package init(folder: String) {
        self.folder = URL(filePath: folder, directoryHint: .isDirectory).appending(path: "developer/appids")
    }

    /// - Throws: if the App ID exists already, or the folder cannot be written.
    package func create(_ appID: AppID) throws {
        guard try find(appID.bundleID) == nil else {
            throw DeveloperProblem(
                "There is an App ID '\(appID.bundleID)' already. 'posthorn appid set' turns its push on and off."
            )
        }
        try write(appID)
    }

    /// Replaces the App ID with the same bundle id.
    ///
    /// - Throws: if there is none, or the folder cannot be written.
    package func replace(_ appID: AppID) throws {
        _ = try get(appID.bundleID)
        try write(appID)
    }

    /// - Throws: if there is none, or it cannot be read.
    package func get(_ bundleID: String) throws -> AppID {
        guard let appID = try find(bundleID) else {
            throw DeveloperProblem(
                "There is no App ID '\(bundleID)'; 'posthorn appid create \(bundleID)' creates it, "
                    + "'posthorn appid list' shows all."
            )
        }
        return appID
    }

    /// Returns all App IDs, sorted by bundle id.
    ///
    /// - Throws: if one cannot be read.
    package func all() throws -> [AppID] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
        return try names.filter { $0.hasSuffix(".json") }.sorted().compactMap { try find(String($0.dropLast(5))) }
    }

    private func find(_ bundleID: String) throws -> AppID? {
        // An invalid bundle id has no App ID, and must not become a file name.
        guard (try? AppID(bundleID: bundleID, hasPush: true)) != nil else { return nil }
        let file = file(of: bundleID)
        guard let data = try? Data(contentsOf: file) else { return nil }
        guard let object = (try? JSONValue(parsing: data))?.object, object["bundle_id"]?.string == bundleID,
            let hasPush = object["push"]?.bool
        else {
            throw DeveloperProblem(
                "'\(file.path(percentEncoded: false))' is not an App ID; expected an object with 'bundle_id' and 'push'. "
                    + "Delete it and create the App ID again."
            )
        }
        return try AppID(bundleID: bundleID, hasPush: hasPush)
    }

    private func write(_ appID: AppID) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let object: JSONObject = ["bundle_id": .string(appID.bundleID), "push": .bool(appID.hasPush)]
        let path = file(of: appID.bundleID).path(percentEncoded: false)
        try OutputFile.write(Data(JSONValue.object(object).bytes), to: path)
    }

    private func file(of bundleID: String) -> URL { folder.appending(path: bundleID + ".json") }
}

/// The name of an app at Apple's developer site, and whether the app may receive pushes.
package struct AppID: Hashable, Sendable {
    /// The bundle id, such as `com.example.app`; also the app's APNs topic.
    package let bundleID: String
    /// Whether the Push Notifications capability is on: without it there is no push certificate, and profiles carry no
    /// `aps-environment`.
    package var hasPush: Bool

    /// - Throws: if `bundleID` is not an explicit bundle id: two or more names of letters, digits and hyphens, separated
    ///   by dots.
    package init(bundleID: String, hasPush: Bool) throws(DeveloperProblem) {
        guard !bundleID.contains("*") else {
            throw DeveloperProblem(
                "'\(bundleID)' is a wildcard App ID, and push needs an explicit one: a device token and a certificate "
                    + "belong to exactly one app. Expected a bundle id such as 'com.example.app'."
            )
        }
        let names = bundleID.split(separator: ".", omittingEmptySubsequences: false)
        let isWellFormed = names.allSatisfy { name in
            !name.isEmpty && name.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0.isLetterOrDigit }
        }
        // A longer id does not fit into a file name.
        guard names.count >= 2, isWellFormed, bundleID.utf8.count <= 200 else {
            throw DeveloperProblem(
                "'\(bundleID)' is not a bundle id; expected letters, digits and '-' with dots between them, such as "
                    + "'com.example.app'."
            )
        }
        self.bundleID = bundleID
        self.hasPush = hasPush
    }
}

/// The reason why a developer's request cannot be carried out: what was found, what was expected, what to do.
package struct DeveloperProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String

    init(_ description: String) { self.description = description }
}

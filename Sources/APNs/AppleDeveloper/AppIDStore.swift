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
        try Data(JSONValue.object(object).bytes).write(to: file(of: appID.bundleID), options: .atomic)
    }

    private func file(of bundleID: String) -> URL { folder.appending(path: bundleID + ".json") }
}

import Foundation
import PushModel

/// The App IDs of a gateway: one file each in its data folder, so that commands can run beside each other.
package struct AppIDStore: Sendable {
    private let folder: URL

    /// * `folder`: the gateway's data folder.
    package init(folder: String) {
        self.folder = URL(filePath: folder, directoryHint: .isDirectory).appending(path: "developer/appids")
    }

    /// - Throws: when it is there already, or the folder cannot be written.
    package func create(_ appID: AppID) throws {
        guard try find(appID.bundleID) == nil else {
            throw DeveloperProblem(
                "There is an App ID '\(appID.bundleID)' already. 'posthorn appid set' turns its push on and off."
            )
        }
        try write(appID)
    }

    /// Writes it in the place of the one with the same bundle id.
    ///
    /// - Throws: when there is none, or the folder cannot be written.
    package func replace(_ appID: AppID) throws {
        _ = try get(appID.bundleID)
        try write(appID)
    }

    /// - Throws: when there is none, or it cannot be read.
    package func get(_ bundleID: String) throws -> AppID {
        guard let appID = try find(bundleID) else {
            throw DeveloperProblem(
                "There is no App ID '\(bundleID)'; 'posthorn appid create \(bundleID)' makes it, "
                    + "'posthorn appid list' shows all."
            )
        }
        return appID
    }

    /// All of them, by bundle id.
    ///
    /// - Throws: when one cannot be read.
    package func all() throws -> [AppID] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
        return try names.filter { $0.hasSuffix(".json") }.sorted().compactMap { try find(String($0.dropLast(5))) }
    }

    private func find(_ bundleID: String) throws -> AppID? {
        // Of what cannot be one there is none; and its name would be the name of a file.
        guard (try? AppID(bundleID: bundleID, hasPush: true)) != nil else { return nil }
        let file = file(of: bundleID)
        guard let data = try? Data(contentsOf: file) else { return nil }
        guard let object = (try? JSONValue(parsing: data))?.object, object["bundle_id"]?.string == bundleID,
            let hasPush = object["push"]?.bool
        else {
            throw DeveloperProblem(
                "'\(file.path(percentEncoded: false))' is no App ID; expected an object with 'bundle_id' and 'push'. "
                    + "Delete it and make the App ID anew."
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

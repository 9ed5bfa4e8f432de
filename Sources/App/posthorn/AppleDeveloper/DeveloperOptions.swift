import AppleDeveloper
import ArgumentParser
import Foundation
import PosthornStack
import PushModel

/// The data folder of a gateway, which may be running.
struct DeveloperOptions: ParsableArguments {
    @Option(help: "The gateway's data folder.") var data = "posthorn-gateway"

    /// Returns the folder; creates it if there is none, readable only by its owner.
    func makeFolder() throws -> String {
        try FileManager.default.createDirectory(
            atPath: data,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        return data
    }

    /// The App IDs in the folder; creates nothing.
    func appIDs() throws -> AppIDStore {
        var isFolder: ObjCBool = false
        // The compiler treats the out parameter as an unsafe pointer; it lives as long as the call.
        try require(
            unsafe FileManager.default.fileExists(atPath: data, isDirectory: &isFolder) && isFolder.boolValue,
            "There is no folder '\(data)'; expected the data folder of a gateway. Give it with --data, or begin with "
                + "'posthorn appid create'."
        )
        return AppIDStore(folder: data)
    }

    /// The authority in the folder; nil if there is none yet. Creates nothing.
    func authority() throws -> GatewayAuthority? {
        guard FileManager.default.fileExists(atPath: DataFolder.path(of: "ca.key", in: data)) else { return nil }
        return try GatewayAuthority(folder: data)
    }

    func revocations() -> RevocationList { RevocationList(folder: data) }
}

/// The data folder of a gateway, and whether what is said about it is printed as JSON.
struct DeveloperOutput: ParsableArguments {
    @Flag(help: "Print as JSON.") var json = false
    @OptionGroup var options: DeveloperOptions
}

/// The team that App IDs, certificates and profiles belong to.
struct TeamOptions: ParsableArguments {
    @Option(help: "The team's id, ten characters.") var teamID = GatewayNode.teamID

    func validate() throws {
        try require(
            teamID.utf8.count == 10 && teamID.utf8.allSatisfy({ (0x30...0x5A).contains($0) }),
            "--team-id is '\(teamID)'; expected ten letters and digits, such as 'ABCDE12345'."
        )
    }
}

/// A command whose ``DeveloperProblem``s become messages for the user.
protocol DeveloperCommand: ParsableCommand {
    func perform() throws
}

extension DeveloperCommand {
    func run() throws {
        do { try perform() } catch let problem as DeveloperProblem { throw ValidationError(problem.description) }
    }
}

/// Writes the file that an option names.
func writeFile(_ data: Data, to path: String, _ option: String) throws {
    do { try OutputFile.write(data, to: path) } catch { throw ValidationError("\(option): \(error)") }
}

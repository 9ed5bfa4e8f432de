public import Foundation
public import PushDevice

/// A content extension that is a separate program: its principal class is a view controller, and its Info.plist declares the
/// categories whose notifications it shows.
public struct ProgramContentExtension: Sendable {
    /// The executable and its Info.plist.
    public var program: ProgramExtension
    /// The declarations of the Info.plist.
    public var declarations: ContentExtensionInfo

    /// Reads the extension's Info.plist.
    ///
    /// - Parameters:
    ///   - executable: the executable.
    ///   - info: its Info.plist; `NAME.plist` or `Info.plist` beside it by default.
    /// - Throws: ``ProgramProblem`` if something is missing or cannot be read.
    public init(executable: URL, info: URL? = nil) throws(ProgramProblem) {
        program = try ProgramExtension(executable: executable, info: info)
        do throws(ContentExtensionInfo.Problem) { declarations = try ContentExtensionInfo(info: program.info) } catch {
            throw ProgramProblem(description: "'\(executable.path(percentEncoded: false))': \(error)")
        }
    }
}

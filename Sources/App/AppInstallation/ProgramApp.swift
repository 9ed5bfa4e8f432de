public import Foundation
public import PushDevice
public import PushModel

/// An app that is a separate program: an executable whose `@main` is its delegate, and an Info.plist.
public struct ProgramApp: Sendable {
    /// The app's declarations.
    public var app: InstalledApp
    /// The app's program.
    public var executable: URL
    /// The app's service extension; nil for none.
    public var serviceExtension: ProgramExtension?
    /// The app's content extensions.
    public var contentExtensions: [ProgramContentExtension] = []
    /// Additional environment variables of the program.
    public var environment: [String: String] = [:]

    /// - Parameters:
    ///   - app: the app and its declarations.
    ///   - executable: the app's executable.
    ///   - serviceExtension: the app's service extension, if it has one.
    public init(_ app: InstalledApp, executable: URL, serviceExtension: ProgramExtension? = nil) {
        self.app = app
        self.executable = executable
        self.serviceExtension = serviceExtension
    }

    /// Reads the app's declarations from its Info.plist: `CFBundleIdentifier`, `CFBundleDisplayName`, `UIBackgroundModes` and the
    /// other keys that its frameworks use; sounds and strings from its bundle (the executable's folder, if that is `NAME.app`), or from
    /// the resources of its SwiftPM target (`PACKAGE_TARGET.resources` beside the executable).
    ///
    /// - Parameters:
    ///   - executable: the executable.
    ///   - info: its Info.plist; `NAME.plist` or `Info.plist` beside it by default.
    ///   - environment: the app's build.
    ///   - link: the URL of the service's SDK link.
    /// - Throws: ``ProgramProblem`` if something is missing or cannot be read.
    public init(
        executable: URL,
        info: URL? = nil,
        environment: APNSEnvironment = .development,
        link: String? = nil
    ) throws(ProgramProblem) {
        let info = try ProgramInfo(of: executable, at: info)
        let names = ["CFBundleDisplayName", "CFBundleName"].compactMap { info.object[$0]?.string }
        var app = InstalledApp(
            bundleID: info.bundleID,
            name: names.first ?? executable.lastPathComponent,
            environment: environment,
            backgroundModes: info.object["UIBackgroundModes"]?.array?.compactMap(\.string) ?? [],
            link: link,
            info: info.object
        )
        for folder in Self.bundles(of: executable) { try app.readBundle(folder) }
        self.init(app, executable: executable)
    }

    /// Returns the folders with the app's resources: its bundle, and what SwiftPM made of its target's resources.
    private static func bundles(of executable: URL) -> [URL] {
        let folder = executable.deletingLastPathComponent()
        if folder.pathExtension == "app" { return [folder] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
        let suffix = "_\(executable.lastPathComponent).resources"
        return names.filter { $0.hasSuffix(suffix) }.sorted().map { folder.appending(path: $0) }
    }
}

/// A service or content extension that is a separate program: an executable that starts in `NSExtensionMain()`, and an Info.plist
/// that names its principal class.
public struct ProgramExtension: Sendable {
    /// The bundle id of the extension.
    public var bundleID: String
    /// The extension's program.
    public var executable: URL
    /// The extension's Info.plist.
    public var info: JSONObject

    /// - Parameters:
    ///   - bundleID: the extension's bundle id, which begins with that of the app.
    ///   - executable: the executable.
    ///   - principalClass: the class that receives pushes, as `Module.Class`.
    public init(bundleID: String, executable: URL, principalClass: String) {
        self.bundleID = bundleID
        self.executable = executable
        info = ["NSExtension": ["NSExtensionPrincipalClass": .string(principalClass)]]
    }

    /// - Parameters:
    ///   - executable: the executable.
    ///   - info: its Info.plist; `NAME.plist` or `Info.plist` beside it by default.
    /// - Throws: ``ProgramProblem`` if something is missing or cannot be read.
    public init(executable: URL, info: URL? = nil) throws(ProgramProblem) {
        let info = try ProgramInfo(of: executable, at: info)
        guard info.object["NSExtension"]?.object?["NSExtensionPrincipalClass"]?.string != nil else {
            throw ProgramProblem(
                """
                The Info.plist of '\(executable.path(percentEncoded: false))' has no 'NSExtensionPrincipalClass' within \
                'NSExtension'; expected the class that gets pushes, such as 'Service.NotificationService'.
                """
            )
        }
        bundleID = info.bundleID
        self.executable = executable
        self.info = info.object
    }

    /// Whether the extension can belong to the app: its bundle id begins with that of the app. Source: Apple,
    /// "App extension programming guide".
    public func belongs(to app: InstalledApp) -> Bool { bundleID.hasPrefix(app.bundleID + ".") }
}

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
            throw ProgramProblem("'\(executable.path(percentEncoded: false))': \(error)")
        }
    }
}

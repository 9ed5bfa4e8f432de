public import Foundation
public import PushDevice
public import PushModel

/// An app that is a program of its own: an executable whose `@main` is its delegate, and an Info.plist.
public struct ProgramApp: Sendable {
    public var app: InstalledApp
    public var executable: URL
    public var serviceExtension: ProgramExtension?
    /// Added to the variables that the program finds in its environment.
    public var environment: [String: String] = [:]

    /// - Parameters:
    ///   - app: what the app declares.
    ///   - executable: the program.
    ///   - serviceExtension: its service extension, if it has one.
    public init(_ app: InstalledApp, executable: URL, serviceExtension: ProgramExtension? = nil) {
        self.app = app
        self.executable = executable
        self.serviceExtension = serviceExtension
    }

    /// Reads what the app declares from its Info.plist: `CFBundleIdentifier`, `CFBundleDisplayName`, `UIBackgroundModes` and
    /// what else its frameworks ask for there.
    ///
    /// - Parameters:
    ///   - executable: the program.
    ///   - info: its Info.plist; where nothing is said, `NAME.plist` or `Info.plist` beside it.
    ///   - environment: how the app was built.
    ///   - link: where its SDK finds the push service.
    /// - Throws: what is missing or cannot be read.
    public init(
        executable: URL,
        info: URL? = nil,
        environment: APNSEnvironment = .development,
        link: String? = nil
    ) throws(ProgramProblem) {
        let info = try ProgramInfo(of: executable, at: info)
        let names = ["CFBundleDisplayName", "CFBundleName"].compactMap { info.object[$0]?.string }
        let app = InstalledApp(
            bundleID: info.bundleID,
            name: names.first ?? executable.lastPathComponent,
            environment: environment,
            backgroundModes: info.object["UIBackgroundModes"]?.array?.compactMap(\.string) ?? [],
            link: link,
            info: info.object
        )
        self.init(app, executable: executable)
    }
}

/// A service extension that is a program of its own: an executable that begins in `NSExtensionMain()`, and an Info.plist
/// that names its principal class.
public struct ProgramExtension: Sendable {
    public var bundleID: String
    public var executable: URL
    /// Its own Info.plist.
    public var info: JSONObject

    /// - Parameters:
    ///   - bundleID: that of the app, and a part of its own.
    ///   - executable: the program.
    ///   - principalClass: of the object that gets pushes, as `Module.Class`.
    public init(bundleID: String, executable: URL, principalClass: String) {
        self.bundleID = bundleID
        self.executable = executable
        info = ["NSExtension": ["NSExtensionPrincipalClass": .string(principalClass)]]
    }

    /// - Parameters:
    ///   - executable: the program.
    ///   - info: its Info.plist; where nothing is said, `NAME.plist` or `Info.plist` beside it.
    /// - Throws: what is missing or cannot be read.
    public init(executable: URL, info: URL? = nil) throws(ProgramProblem) {
        let info = try ProgramInfo(of: executable, at: info)
        guard info.object["NSExtension"]?.object?["NSExtensionPrincipalClass"]?.string != nil else {
            throw ProgramProblem(
                description: """
                    The Info.plist of '\(executable.path(percentEncoded: false))' has no 'NSExtensionPrincipalClass' within \
                    'NSExtension'; expected the class that gets pushes, such as 'Service.NotificationService'.
                    """
            )
        }
        bundleID = info.bundleID
        self.executable = executable
        self.info = info.object
    }

    /// Whether it may be an extension of the app: its bundle id begins with that of the app. Source: Apple,
    /// "App extension programming guide".
    public func belongs(to app: InstalledApp) -> Bool { bundleID.hasPrefix(app.bundleID + ".") }
}

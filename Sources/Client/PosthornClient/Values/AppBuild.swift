import Foundation

/// How this app was signed and distributed, which decides the environment of its device tokens.
///
/// Read from the embedded profile and the receipt, never from compiler flags: a debug build can be signed for distribution, and
/// TestFlight delivers release builds.
///
/// Source: Apple, TN3125 "Inside Code Signing: Provisioning Profiles", and "aps-environment".
public struct AppBuild: Hashable, Sendable {
    /// How the app came to the device.
    public enum Distribution: String, Hashable, Sendable {
        /// Installed by Xcode, for debugging.
        case development
        /// For the devices that the profile lists.
        case adHoc
        /// For the devices of an organisation, or a Mac app outside of the App Store.
        case everywhere
        /// By TestFlight.
        case testFlight
        /// By the App Store.
        case appStore
        /// In a simulator.
        case simulator
        /// On a system without profiles.
        case unsigned
    }

    /// The environment of the app's device tokens.
    public var environment: PushEnvironment
    /// How the app came to the device.
    public var distribution: Distribution
    /// Whether it is a Mac app: built for the Mac, or with Catalyst.
    public var isMac: Bool
    /// Whether the profile allows pushes; nil if there is no profile to tell.
    public var allowsPush: Bool?

    /// Creates the facts of a build.
    public init(
        environment: PushEnvironment,
        distribution: Distribution,
        isMac: Bool = false,
        allowsPush: Bool? = nil
    ) {
        self.environment = environment
        self.distribution = distribution
        self.isMac = isMac
        self.allowsPush = allowsPush
    }

    /// Reads how an app was built from its bundle.
    public static func read(_ bundle: Bundle = .main) -> AppBuild {
        let files = bundle.bundleURL
        let profiles = [
            files.appendingPathComponent("embedded.mobileprovision"),
            files.appendingPathComponent("Contents/embedded.provisionprofile"),
        ]
        let profile = profiles.lazy.compactMap { try? Data(contentsOf: $0) }.first
        #if canImport(Darwin)
        let receipt = bundle.appStoreReceiptURL?.lastPathComponent
        #else
        let receipt: String? = nil
        #endif
        return decide(profile: profile, receipt: receipt, platform: .current)
    }

    /// The kinds of systems that differ here.
    enum Platform: Hashable, Sendable {
        case device
        case simulator
        case mac
        case other

        static var current: Self {
            #if targetEnvironment(simulator)
            .simulator
            #elseif os(macOS) || targetEnvironment(macCatalyst)
            .mac
            #elseif canImport(Darwin)
            .device
            #else
            .other
            #endif
        }
    }

    /// Decides how an app was built from what was found.
    ///
    /// - Parameters:
    ///   - profile: the content of the embedded profile; nil if there is none.
    ///   - receipt: the name of the App Store's receipt file.
    ///   - platform: the system.
    /// - Returns: the facts of the build.
    static func decide(profile: Data?, receipt: String?, platform: Platform) -> AppBuild {
        // A simulator's token is one of the sandbox, whatever the app's signing.
        if platform == .simulator { return AppBuild(environment: .development, distribution: .simulator) }
        let isMac = platform == .mac
        guard let content = profile.flatMap(ProvisioningProfile.init) else {
            // Apple takes the profile out of what it distributes.
            if platform == .other { return AppBuild(environment: .production, distribution: .unsigned) }
            let isTest = receipt == "sandboxReceipt"
            return AppBuild(environment: .production, distribution: isTest ? .testFlight : .appStore, isMac: isMac)
        }
        return AppBuild(
            environment: content.environment ?? (content.isForDebugging ? .development : .production),
            distribution: content.distribution,
            isMac: isMac,
            allowsPush: content.environment != nil
        )
    }
}

package import Foundation
package import PosthornClient
import PushModel
import SystemPort

extension PosthornConfiguration {
    /// The key of the SDK link's address in an Info.plist.
    private static let linkKey = "PosthornLink"

    /// The settings of the client of an emulated app: over the link alone, or over HTTPS if its Info.plist has the service's address, in
    /// a process of the app's own.
    ///
    /// - Parameters:
    ///   - port: the app's.
    ///   - service: the address of the service, in place of the Info.plist's.
    ///   - appKey: the app's key at the service.
    /// - Returns: the settings.
    /// - Throws: a `PosthornError` if the Info.plist has no address.
    package static func emulated(on port: PortReference, service: URL? = nil, appKey: String = "") throws -> Self {
        guard let info = port.port?.facts.info, let facts = port.port?.facts else { throw PosthornError.noLink }
        let values = DeviceValues(on: facts)
        let link = info[linkKey]?.string.flatMap(URL.init(string:))
        // A file that no build has processed has the name of a variable.
        let given = info[serviceKey]?.string.flatMap { $0.contains("$") ? nil : URL(string: $0) }
        let store = PortStateStore(port: port)
        let opener = PortLinkOpener(port: port)
        var configuration: PosthornConfiguration
        if let address = service ?? given {
            configuration = try Self(
                service: address,
                appKey: appKey,
                bundleID: facts.bundleID,
                values: values,
                store: store
            )
            configuration.link = link
            configuration.socketOpener = opener
        } else if let link {
            configuration = Self(
                link: link,
                opener: opener,
                appKey: appKey,
                bundleID: facts.bundleID,
                values: values,
                store: store
            )
        } else {
            throw PosthornError.noLink
        }
        let turns = PortTurns(port: port)
        configuration.clock = turns
        configuration.executor = turns
        configuration.random = PortRandom(port: port)
        configuration.currentZone = { port.port?.facts.timeZone }
        configuration.currentLanguage = { port.port?.facts.language }
        return configuration
    }
}

extension PosthornError {
    fileprivate static let noLink = PosthornError(
        code: notRegistered,
        message: "the app's Info.plist has no 'PosthornLink', the URL of the service's SDK link"
    )
}

extension DeviceValues {
    /// Creates the values that a phone has of itself and of the app.
    init(on port: any SystemPort) { self.init(on: port.facts) }

    fileprivate init(on facts: AppFacts) {
        let environment: PushEnvironment = facts.environment == .production ? .production : .development
        self.init(environment: environment, system: "iOS \(facts.systemVersion)")
        zone = facts.timeZone
        language = facts.language
        appVersion = facts.info["CFBundleShortVersionString"]?.string
    }
}

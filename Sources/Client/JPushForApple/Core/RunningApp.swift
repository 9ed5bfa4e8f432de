#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation
import PosthornClient

#if !canImport(Darwin)
import PushModel
import SystemPort
#endif

/// The running app's bundle id, Info.plist and place for the client's state.
///
/// On Linux an app runs on an emulated phone, which has the app's Info.plist.
enum RunningApp {
    /// The key of the service's address, in an Info.plist.
    static let serviceKey = PosthornConfiguration.serviceKey
    /// The key of the App Group that app and service extension share. On Linux it names a folder.
    static let groupKey = PosthornConfiguration.groupKey

    /// The settings of the client for this app.
    ///
    /// - Parameters:
    ///   - service: the address of the service; nil for the one in the Info.plist.
    ///   - appKey: the app's key at the service.
    ///   - channel: free text for statistics.
    /// - Returns: the settings.
    /// - Throws: a `PosthornError` that says what is missing.
    static func configuration(service: URL?, appKey: String, channel: String?) throws -> PosthornConfiguration {
        #if canImport(Darwin)
        var configuration = try PosthornConfiguration.app(service: service, appKey: appKey)
        #else
        var configuration = try emulated(service: service, appKey: appKey)
        #endif
        configuration.values.channel = channel
        return configuration
    }

    #if !canImport(Darwin)
    private static func emulated(service: URL?, appKey: String) throws -> PosthornConfiguration {
        let facts = CurrentPort.find().facts
        guard let address = service ?? facts.info[serviceKey]?.string.flatMap(URL.init(string:)) else {
            throw PosthornError(
                code: PosthornError.notRegistered,
                message: "The app's Info.plist has no '\(serviceKey)', the address of the service."
            )
        }
        let environment: PushEnvironment = facts.environment == .production ? .production : .development
        var values = DeviceValues(environment: environment, system: "iOS \(facts.systemVersion)")
        values.zone = facts.timeZone
        values.appVersion = facts.info["CFBundleShortVersionString"]?.string
        let folder = facts.info[groupKey]?.string ?? NSTemporaryDirectory() + "posthorn-\(facts.vendorID)"
        var configuration = try PosthornConfiguration(
            service: address,
            appKey: appKey,
            bundleID: facts.bundleID,
            values: values,
            store: FileStateStore(folder: URL(fileURLWithPath: folder))
        )
        // Foundation on Linux has no WebSocket.
        configuration.messageInterval = 0.2
        return configuration
    }
    #endif
}

#endif

import DeviceLink
public import Foundation
import PushModel
import SystemPort

public typealias JPUSHTagsOperationCompletion = (_ code: Int, _ tags: Set<AnyHashable>?, _ seq: Int) -> Void
public typealias JPUSHAliasOperationCompletion = (_ code: Int, _ alias: String?, _ seq: Int) -> Void

/// The JPush SDK as an app sees it, against a service of Posthorn's.
///
/// Where the service answers is said in the app's Info.plist, under `PosthornLink`; the app's code needs no change.
/// Class methods only, as in the SDK; each call finds the device of the app that makes it. Completions run on the main
/// thread.
open class JPUSHService: NSObject {
    // MARK: Start

    /// Starts the SDK: registers the app with the service, or logs in if it was registered before.
    ///
    /// - Parameters:
    ///   - launchOptions: as they came to the app delegate.
    ///   - appKey: the app's key at the service; without one nothing starts.
    ///   - channel: free text for statistics.
    ///   - isProduction: how the app was built; must agree with its signing.
    open class func setup(
        withOption launchOptions: [AnyHashable: Any]!,
        appKey: String!,
        channel: String!,
        apsForProduction isProduction: Bool
    ) {
        client.setUp(appKey: appKey, channel: channel, environment: isProduction ? .production : .development)
    }

    /// As `setup(withOption:appKey:channel:apsForProduction:)`; Posthorn keeps no advertising identifier.
    open class func setup(
        withOption launchOptions: [AnyHashable: Any]!,
        appKey: String!,
        channel: String!,
        apsForProduction isProduction: Bool,
        advertisingIdentifier: String!
    ) {
        setup(withOption: launchOptions, appKey: appKey, channel: channel, apsForProduction: isProduction)
    }

    /// Asks the person for permission, becomes the delegate of the notification centre in the place of the app, and asks
    /// the system for a token. Call it before `setup`.
    ///
    /// - Parameters:
    ///   - config: what to ask for.
    ///   - delegate: held weakly.
    open class func register(
        forRemoteNotificationConfig config: JPUSHRegisterEntity!,
        delegate: (any JPUSHRegisterDelegate)!
    ) {
        client.register(config, delegate: delegate)
    }

    /// The token from `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`.
    open class func registerDeviceToken(_ deviceToken: Data!) {
        guard let deviceToken, !deviceToken.isEmpty else { return }
        client.setToken(DeviceToken(bytes: deviceToken))
    }

    /// The registration id; empty until the service has given one.
    open class func registrationID() -> String! { client.registrationID ?? "" }

    /// Called with 0 and the registration id as soon as it is known, or with the code of the refusal and nil.
    open class func registrationIDCompletionHandler(_ completionHandler: ((Int32, String?) -> Void)!) {
        guard let completionHandler else { return }
        client.whenRegistered(completionHandler)
    }

    // MARK: Tags

    /// Replaces all tags.
    open class func setTags(_ tags: Set<String>!, completion: JPUSHTagsOperationCompletion!, seq: Int) {
        change(tags, completion, seq) { .setTags($0) }
    }

    open class func addTags(_ tags: Set<String>!, completion: JPUSHTagsOperationCompletion!, seq: Int) {
        change(tags, completion, seq) { .addTags($0) }
    }

    open class func deleteTags(_ tags: Set<String>!, completion: JPUSHTagsOperationCompletion!, seq: Int) {
        change(tags, completion, seq) { .deleteTags($0) }
    }

    /// Removes all tags.
    open class func cleanTags(_ completion: JPUSHTagsOperationCompletion!, seq: Int) {
        client.request(.cleanTags, gate: .tags) { completion?($0.code, nil, seq) }
    }

    open class func getAllTags(_ completion: JPUSHTagsOperationCompletion!, seq: Int) {
        client.request(.getAllTags, gate: .tags) { reply in
            completion?(reply.code, reply.tags.map { Set($0.map { AnyHashable($0) }) }, seq)
        }
    }

    /// The tags that may be set: the valid ones, 1000 at most.
    open class func filterValidTags(_ tags: Set<AnyHashable>!) -> Set<AnyHashable>! {
        let valid = (tags ?? []).filter { ($0.base as? String).map(TagRules.isValid) ?? false }
        return Set(valid.prefix(TagRules.count))
    }

    private class func change(
        _ tags: Set<String>?,
        _ completion: JPUSHTagsOperationCompletion?,
        _ seq: Int,
        _ request: ([String]) -> SDKRequest
    ) {
        let echo = tags.map { Set($0.map { AnyHashable($0) }) }
        let code = TagRules.code(tags: tags)
        guard code == 0, let tags else { return client.onMain { completion?(code, echo, seq) } }
        client.request(request(tags.sorted()), gate: .tags) { completion?($0.code, echo, seq) }
    }

    // MARK: Alias

    /// Gives the device this alias in the place of another; one alias a device.
    open class func setAlias(_ alias: String!, completion: JPUSHAliasOperationCompletion!, seq: Int) {
        let code = TagRules.code(alias: alias)
        guard code == 0, let alias else { return client.onMain { completion?(code, alias, seq) } }
        client.request(.setAlias(alias), gate: .alias) { completion?($0.code, alias, seq) }
    }

    open class func deleteAlias(_ completion: JPUSHAliasOperationCompletion!, seq: Int) {
        client.request(.deleteAlias, gate: .alias) { completion?($0.code, nil, seq) }
    }

    open class func getAlias(_ completion: JPUSHAliasOperationCompletion!, seq: Int) {
        client.request(.getAlias, gate: .alias) { completion?($0.code, $0.alias, seq) }
    }

    // MARK: Badge

    /// Stores the device's badge at the service, the base of a push with `"+1"`; the icon does not change.
    ///
    /// - Parameter value: 0 to 99999.
    /// - Returns: false for another number; then nothing is sent.
    @discardableResult
    open class func setBadge(_ value: Int) -> Bool {
        guard 0...99_999 ~= value else { return false }
        client.request(.badge(value), gate: nil) { _ in }
        return true
    }

    open class func resetBadge() { setBadge(0) }

    private class var client: JPushClient { JPushClient.of(CurrentPort.find()) }
}

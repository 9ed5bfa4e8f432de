import Foundation
import PushModel
import SystemPort

/// The scene declarations in an app's Info.plist.
///
/// Source: Apple, `UIApplicationSceneManifest`.
@MainActor
enum SceneManifest {
    /// Whether scenes are declared; before iOS 13 the declaration is ignored.
    static func isDeclared(on port: any SystemPort) -> Bool {
        let facts = port.facts
        let major = facts.systemVersion.split(separator: ".").first.flatMap { Int($0) } ?? 0
        return major >= 13 && facts.info["UIApplicationSceneManifest"] != nil
    }

    /// Returns the configurations for a role, in order.
    private static func configurations(_ role: UISceneSession.Role, on port: any SystemPort) -> [JSONObject] {
        let manifest = port.facts.info["UIApplicationSceneManifest"]?.object
        return manifest?["UISceneConfigurations"]?.object?[role.rawValue]?.array?.compactMap(\.object) ?? []
    }

    /// Returns the first configuration of the role; one without a name and a delegate if none is declared.
    static func configuration(
        _ role: UISceneSession.Role,
        on port: any SystemPort,
        for delegate: any UIApplicationDelegate
    ) -> UISceneConfiguration {
        let first = configurations(role, on: port).first
        let name = first?["UISceneConfigurationName"]?.string
        let configuration = UISceneConfiguration(name: name, sessionRole: role)
        configuration.delegateClass = first.flatMap { delegateClass(in: $0, for: delegate) }
        return configuration
    }

    /// Sets the delegate class of a configuration that the app created by name, as declared under that name.
    static func complete(
        _ configuration: UISceneConfiguration,
        on port: any SystemPort,
        for delegate: any UIApplicationDelegate
    ) {
        guard configuration.delegateClass == nil, let name = configuration.name else { return }
        let declared = configurations(configuration.role, on: port)
        let named = declared.first { $0["UISceneConfigurationName"]?.string == name }
        configuration.delegateClass = named.flatMap { delegateClass(in: $0, for: delegate) }
    }

    /// Returns the declared delegate class. `$(PRODUCT_MODULE_NAME)` is the module of the app's delegate, as in Xcode's
    /// templates.
    private static func delegateClass(in object: JSONObject, for delegate: any UIApplicationDelegate) -> AnyClass? {
        guard let written = object["UISceneDelegateClassName"]?.string else { return nil }
        let module = String(reflecting: type(of: delegate)).prefix { $0 != "." }
        return NSClassFromString(written.replacing("$(PRODUCT_MODULE_NAME)", with: module))
    }
}

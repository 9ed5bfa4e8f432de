package import SystemPort

/// A kind of extension whose framework is above this one.
///
/// ``NSExtensionMain()`` finds it by its name, as this framework cannot import the other.
package protocol ExtensionPoint: AnyObject, SendableMetatype {
    /// - Returns: the endpoint that runs an extension with this principal class; nil if the class is none of this kind.
    static func host(of principal: AnyClass, port: any SystemPort) -> (any AppEndpoint)?
}

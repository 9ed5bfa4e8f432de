public import Foundation

/// The wish of a user, or of somebody who writes to the user.
///
/// Source: Apple, `INIntent`. Nobody on the emulated device asks for intents: there is no Siri. `@unchecked Sendable`: Apple requires,
/// as for any mutable object, that only one thread at a time uses it.
open class INIntent: NSObject, NSCopying, INIntentSetImageKeyPath, @unchecked Sendable {
    /// The identifier that the system gives to an intent which it hands to the app; nil for the app's own.
    open var identifier: String? { nil }
    /// The words for the intent; nil for none.
    open var intentDescription: String? { nil }
    /// The phrase that the app proposes for a shortcut; stored.
    open var suggestedInvocationPhrase: String?
    /// Facts about the donation; stored.
    open var donationMetadata: INIntentDonationMetadata?

    private var images: [AnyKeyPath: INImage] = [:]

    public override init() { super.init() }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The picture of a parameter; nil if none was set.
    package func image(at parameter: AnyKeyPath) -> INImage? { images[parameter] }

    fileprivate func setImage(_ image: INImage?, at parameter: AnyKeyPath) { images[parameter] = image }
}

/// An intent whose parameters may have pictures. Source: Apple, `INIntentSetImageKeyPath`.
public protocol INIntentSetImageKeyPath {}

extension INIntentSetImageKeyPath where Self: INIntent {
    /// Sets the picture of a parameter, such as `\.speakableGroupName`.
    public func setImage<Value>(_ image: INImage?, forParameterNamed parameterName: KeyPath<Self, Value>) {
        setImage(image, at: parameterName)
    }

    /// Returns the picture of a parameter; nil if none was set.
    public func image<Value>(forParameterNamed parameterName: KeyPath<Self, Value>) -> INImage? {
        image(at: parameterName)
    }
}

/// The answer of an app to an intent. Source: Apple, `INIntentResponse`.
open class INIntentResponse: NSObject, NSCopying, @unchecked Sendable {
    public override init() { super.init() }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}

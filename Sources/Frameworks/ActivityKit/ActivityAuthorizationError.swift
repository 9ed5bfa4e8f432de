public import Foundation
import SystemPort

/// The reason why a Live Activity cannot start.
@available(iOS 16.1, *)
public enum ActivityAuthorizationError: LocalizedError, CustomNSError, Hashable, Sendable {
    /// Attributes and content have more than 4 KB together.
    case attributesTooLarge
    /// The person has switched the app's Live Activities off.
    case denied
    /// The device has as many Live Activities as it may have.
    case globalMaximumExceeded
    /// The identifier of the activity is malformed.
    case malformedActivityIdentifier
    /// The process has no identifier.
    case missingProcessIdentifier
    /// The device cannot store the activity.
    case persistenceFailure
    /// The process is not the one that started the activity.
    case reconnectNotPermitted
    /// The app has as many Live Activities as it may have.
    case targetMaximumExceeded
    /// The app lacks an entitlement: that for pushes, and it asks for them.
    case unentitled
    /// The device has no Live Activities.
    case unsupported
    /// The app's Info.plist lacks `NSSupportsLiveActivities`.
    case unsupportedTarget
    /// The app is not in the foreground.
    case visibility

    init(_ refusal: LiveActivityRefusal) {
        self =
            switch refusal {
            case .attributesTooLarge: .attributesTooLarge
            case .denied: .denied
            case .globalMaximumExceeded: .globalMaximumExceeded
            case .targetMaximumExceeded: .targetMaximumExceeded
            case .unentitled: .unentitled
            case .unsupported: .unsupported
            case .unsupportedTarget: .unsupportedTarget
            case .visibility: .visibility
            }
    }

    public var errorDescription: String? { "The Live Activity was not started." }

    public var failureReason: String? {
        switch self {
        case .attributesTooLarge: "Its attributes and its content have more than 4 KB together."
        case .denied: "The user has switched the app's Live Activities off."
        case .globalMaximumExceeded: "The device has as many Live Activities as it may have."
        case .malformedActivityIdentifier: "Its identifier is malformed."
        case .missingProcessIdentifier: "The process has no identifier."
        case .persistenceFailure: "The device cannot store it."
        case .reconnectNotPermitted: "The process is not the one that started it."
        case .targetMaximumExceeded: "The app has as many Live Activities as it may have."
        case .unentitled: "The app asks for pushes, and lacks the entitlement aps-environment."
        case .unsupported: "The device has no Live Activities: they need iOS 16.1."
        case .unsupportedTarget: "The app's Info.plist lacks NSSupportsLiveActivities."
        case .visibility: "The app is not in the foreground."
        }
    }

    public var recoverySuggestion: String? {
        switch self {
        case .attributesTooLarge: "Keep large data elsewhere, and put a reference into the content."
        case .denied: "Ask the user to switch Live Activities on in Settings."
        case .globalMaximumExceeded, .targetMaximumExceeded: "End another Live Activity first."
        case .unsupportedTarget: "Add NSSupportsLiveActivities with the value YES."
        case .unentitled: "Add the capability Push Notifications, or start it with the push type nil."
        case .visibility: "Start it while the app is in the foreground, or start it by push."
        case .malformedActivityIdentifier, .missingProcessIdentifier, .persistenceFailure, .reconnectNotPermitted,
            .unsupported:
            nil
        }
    }
}

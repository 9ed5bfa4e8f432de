// Apple's module brings both along; sources rely on it.
@_exported public import Foundation
@_exported public import UserNotifications

// Apple's module re-exports both; sources rely on it.
@_exported public import Foundation
@_exported public import UserNotifications

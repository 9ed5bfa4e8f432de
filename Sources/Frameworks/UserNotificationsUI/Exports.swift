// Apple's module re-exports this; sources rely on it.
@_exported public import UserNotifications

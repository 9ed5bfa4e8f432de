// Apple's module brings this along; sources rely on it.
@_exported public import UserNotifications

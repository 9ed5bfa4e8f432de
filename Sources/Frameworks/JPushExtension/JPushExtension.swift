public import JPush

/// The part of JPush's API for service extensions, by the module that it has on Apple's systems: `JPush` has the same class.
public typealias JPushNotificationExtensionService = JPush.JPushNotificationExtensionService

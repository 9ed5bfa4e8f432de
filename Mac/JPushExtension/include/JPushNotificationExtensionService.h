// The part of JPush's API for service extensions. It is written in Swift, in the module JPushExtensionForApple.

#ifndef JPushNotificationExtensionService_h
#define JPushNotificationExtensionService_h

#if __has_include(<TargetConditionals.h>)
#include <TargetConditionals.h>
#endif

#if !defined(TARGET_OS_IOS) || TARGET_OS_IOS

#import <Foundation/Foundation.h>
#if __has_include(<UserNotifications/UserNotifications.h>)
#import <UserNotifications/UserNotifications.h>
#endif

@class UNNotificationRequest;

/// Reports from an app's service extension that a push has arrived.
@interface JPushNotificationExtensionService : NSObject

/// The app's key, the same as in the app's `setup`.
+ (void)jpushSetAppkey:(NSString *)appkey;
/// Reports the push, then calls the completion once, on the main thread, after five seconds at the latest.
+ (void)jpushReceiveNotificationRequest:(UNNotificationRequest *)request with:(void (^)(void))completion;
/// Logs errors only.
+ (void)setLogOff;

@end

#endif

#endif

// UIKit as far as the sources use it, written from its documentation.
#pragma once

#import <Foundation/Foundation.h>

NIL_BEGIN

@class UIApplication;
typedef NSString *UIApplicationLaunchOptionsKey NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(UIApplication.LaunchOptionsKey);
extern UIApplicationLaunchOptionsKey const UIApplicationLaunchOptionsRemoteNotificationKey;
extern UIApplicationLaunchOptionsKey const UIApplicationLaunchOptionsLocalNotificationKey
    IOS_DEPRECATED(4.0, 10.0, "Use UserNotifications Framework's -[UNUserNotificationCenterDelegate didReceiveNotificationResponse:].");
extern NSString *const UILocalNotificationDefaultSoundName IOS_DEPRECATED(4.0, 10.0, "Use UserNotifications Framework's UNNotificationSound.");

typedef NS_ENUM(NSUInteger, UIBackgroundFetchResult) {
    UIBackgroundFetchResultNewData,
    UIBackgroundFetchResultNoData,
    UIBackgroundFetchResultFailed,
};

typedef NS_OPTIONS(NSUInteger, UIUserNotificationType) {
    UIUserNotificationTypeNone = 0,
    UIUserNotificationTypeBadge = 1 << 0,
    UIUserNotificationTypeSound = 1 << 1,
    UIUserNotificationTypeAlert = 1 << 2,
} IOS_DEPRECATED(8.0, 10.0, "Use UserNotifications Framework's UNAuthorizationOptions");

IOS_DEPRECATED(8.0, 10.0, "Use UserNotifications Framework's UNNotificationSettings")
@interface UIUserNotificationSettings : NSObject
@property (nonatomic, readonly) UIUserNotificationType types;
@end

IOS_DEPRECATED(4.0, 10.0, "Use UserNotifications Framework's UNNotificationRequest")
@interface UILocalNotification : NSObject <NSCopying, NSSecureCoding>
@property (nullable, nonatomic, copy) NSDate *fireDate;
@property (nullable, nonatomic, copy) NSString *alertBody;
@property (nullable, nonatomic, copy) NSString *alertAction;
@property (nullable, nonatomic, copy) NSString *alertTitle IOS(8.2);
@property (nullable, nonatomic, copy) NSString *soundName;
@property (nonatomic) NSInteger applicationIconBadgeNumber;
@property (nullable, nonatomic, copy) NSDictionary *userInfo;
@end

@protocol UIApplicationDelegate <NSObject>
@end
@interface UIApplication : NSObject
@property (class, nonatomic, readonly) UIApplication *sharedApplication NOT_IN_EXTENSIONS;
@property (nullable, nonatomic, assign) id<UIApplicationDelegate> delegate;
- (void)registerForRemoteNotifications;
- (void)unregisterForRemoteNotifications;
@property (nonatomic) NSInteger applicationIconBadgeNumber;
@end
@interface UIDevice : NSObject
@property (class, nonatomic, readonly) UIDevice *currentDevice;
@property (nonatomic, readonly, strong) NSString *systemVersion;
@end

NIL_END

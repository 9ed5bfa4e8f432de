// UserNotifications as far as the sources use it, written from its documentation.
#pragma once

#import <Foundation/Foundation.h>

NIL_BEGIN

@class UNNotification, UNNotificationContent, UNNotificationRequest, UNNotificationResponse, UNNotificationTrigger;
@protocol UNUserNotificationCenterDelegate;

typedef NS_ENUM(NSUInteger, UNNotificationInterruptionLevel) {
    UNNotificationInterruptionLevelPassive,
    UNNotificationInterruptionLevelActive,
} IOS(15.0);

typedef NS_OPTIONS(NSUInteger, UNNotificationPresentationOptions) {
    UNNotificationPresentationOptionBadge = 1 << 0,
    UNNotificationPresentationOptionSound = 1 << 1,
    UNNotificationPresentationOptionAlert = 1 << 2,
} IOS(10.0);

IOS(10.0)
@interface UNUserNotificationCenter : NSObject
+ (UNUserNotificationCenter *)currentNotificationCenter;
@property (nullable, weak) id<UNUserNotificationCenterDelegate> delegate;
@end
IOS(10.0)
@interface UNNotification : NSObject <NSCopying, NSSecureCoding>
@property (readonly, copy) UNNotificationRequest *request;
@end
IOS(10.0)
@interface UNNotificationResponse : NSObject <NSCopying, NSSecureCoding>
@property (readonly, copy) UNNotification *notification;
@property (readonly, copy) NSString *actionIdentifier;
@end
IOS(10.0)
@interface UNNotificationRequest : NSObject <NSCopying, NSSecureCoding>
@property (readonly, copy) NSString *identifier;
@property (readonly, copy) UNNotificationContent *content;
@property (nullable, readonly, copy) UNNotificationTrigger *trigger;
@end
IOS(10.0)
@interface UNNotificationContent : NSObject <NSCopying, NSMutableCopying, NSSecureCoding>
@property (readonly, copy) NSString *title;
@property (readonly, copy) NSString *subtitle;
@property (readonly, copy) NSString *body;
@property (readonly, copy) NSString *categoryIdentifier;
@property (readonly, copy) NSString *threadIdentifier;
@property (readonly, copy) NSDictionary *userInfo;
@end
IOS(10.0)
@interface UNMutableNotificationContent : UNNotificationContent
@end
IOS(10.0)
@interface UNNotificationSound : NSObject <NSCopying, NSSecureCoding>
@end
IOS(10.0)
@interface UNNotificationTrigger : NSObject <NSCopying, NSSecureCoding>
@end
IOS(10.0)
@interface UNPushNotificationTrigger : UNNotificationTrigger
@end
IOS(10.0)
@protocol UNUserNotificationCenterDelegate <NSObject>
@end

NIL_END

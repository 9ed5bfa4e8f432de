// JPush's API for Objective-C, and for Swift through its importer: the same classes for both. They are written in Swift, in the
// module JPushForApple, which no app imports. Interop/test_objective_c.py compares every declaration with it.
//
// Nothing says whether it can be nil, as in JPush's headers before 5.2: so sources for both generations of the SDK compile.

#ifndef JPUSHService_h
#define JPUSHService_h

#if __has_include(<TargetConditionals.h>)
#include <TargetConditionals.h>
#endif

#if !defined(TARGET_OS_IOS) || TARGET_OS_IOS

#import <Foundation/Foundation.h>
// Objective-C needs the names of the others' classes alone, as in JPush's own header; Swift sees a method only with its classes.
#if __has_include(<CoreLocation/CoreLocation.h>)
#import <CoreLocation/CoreLocation.h>
#endif
#if __has_include(<UIKit/UIKit.h>)
#import <UIKit/UIKit.h>
#endif
#if __has_include(<UserNotifications/UserNotifications.h>)
#import <UserNotifications/UserNotifications.h>
#endif

/// The version of JPush whose API this is.
#define JPUSH_VERSION_NUMBER 5.7.0

@class CLLocation, CLRegion, UILocalNotification, UNNotification, UNNotificationResponse, UNUserNotificationCenter;
@class JPUSHRegisterEntity, JPushCollectControl, JPushInAppMessage, JPushNotificationContent, JPushNotificationIdentifier,
    JPushNotificationRequest, JPushNotificationSound, JPushNotificationTrigger;
@protocol JPUSHGeofenceDelegate, JPUSHInAppMessageDelegate, JPUSHNotiInMessageDelegate, JPUSHRegisterDelegate;

#define JPUSH_DEPRECATED(text) __attribute__((availability(ios, introduced = 4.0, deprecated = 10.0, message = text)))

#pragma mark - Completions

/// The result code, the tags and the `seq` of the call.
typedef void (^JPUSHTagsOperationCompletion)(NSInteger iResCode, NSSet *iTags, NSInteger seq);
/// The result code, the tag, `seq`, and whether the device has the tag.
typedef void (^JPUSHTagValidOperationCompletion)(NSInteger iResCode, NSSet *iTags, NSInteger seq, BOOL isBind);
/// The result code, the alias and the `seq` of the call.
typedef void (^JPUSHAliasOperationCompletion)(NSInteger iResCode, NSString *iAlias, NSInteger seq);
/// The result code, the properties and the `seq` of the call.
typedef void (^JPUSHPropertiesOperationCompletion)(NSInteger iResCode, NSDictionary *properties, NSInteger seq);
/// The result code, the activity, its token and the `seq` of the call.
typedef void (^JPUSHLiveActivityTokenCompletion)(
    NSInteger iResCode, NSString *iLiveActivityId, NSData *pushToken, NSInteger seq);

#pragma mark - Notifications of the SDK

// Posted on the main thread. Each has its own name as its value.

/// The SDK connects with the service.
extern NSNotificationName const kJPFNetworkIsConnectingNotification;
/// The service has answered.
extern NSNotificationName const kJPFNetworkDidSetupNotification;
/// The connection has ended.
extern NSNotificationName const kJPFNetworkDidCloseNotification;
/// The device was registered for the first time. The user info has its `RegistrationID`.
extern NSNotificationName const kJPFNetworkDidRegisterNotification;
/// The service refused the app.
extern NSNotificationName const kJPFNetworkFailedRegisterNotification;
/// The registration id is valid from here on.
extern NSNotificationName const kJPFNetworkDidLoginNotification;
/// A custom message arrived. The user info has `content`, `_j_msgid`, and if sent `title`, `extras` and `content_type`.
extern NSNotificationName const kJPFNetworkDidReceiveMessageNotification;
/// An error occurred. The user info has its text under `error`.
extern NSNotificationName const kJPFServiceErrorNotification;

#pragma mark - Permissions

/// The permissions to request, with the values of `UNAuthorizationOptions`.
typedef NS_OPTIONS(NSUInteger, JPAuthorizationOptions) {
    JPAuthorizationOptionNone = 0,
    JPAuthorizationOptionBadge = 1 << 0,
    JPAuthorizationOptionSound = 1 << 1,
    JPAuthorizationOptionAlert = 1 << 2,
    JPAuthorizationOptionCarPlay = 1 << 3,
    JPAuthorizationOptionCriticalAlert = 1 << 4,
    JPAuthorizationOptionProvidesAppNotificationSettings = 1 << 5,
    JPAuthorizationOptionProvisional = 1 << 6,
    JPAuthorizationOptionAnnouncement = 1 << 7,
};

/// The user's decision.
typedef NS_ENUM(NSUInteger, JPAuthorizationStatus) {
    JPAuthorizationNotDetermined = 0,
    JPAuthorizationStatusDenied = 1,
    JPAuthorizationStatusAuthorized = 2,
    JPAuthorizationStatusProvisional = 3,
};

/// The permissions and categories to request.
@interface JPUSHRegisterEntity : NSObject

/// The bits of `JPAuthorizationOptions`.
@property (nonatomic) NSInteger types;
/// `UNNotificationCategory` objects; others are ignored.
@property (nonatomic, copy) NSSet *categories;

@end

#pragma mark - Local notifications

/// The content of a local notification.
@interface JPushNotificationContent : NSObject <NSCopying, NSSecureCoding>

@property (nonatomic, copy) NSString *title;
@property (nonatomic, copy) NSString *subtitle;
@property (nonatomic, copy) NSString *body;
/// -1 and nil leave the icon unchanged.
@property (nonatomic, copy) NSNumber *badge;
@property (nonatomic, copy) NSString *action;
@property (nonatomic, copy) NSString *categoryIdentifier;
/// Values of property lists only.
@property (nonatomic, copy) NSDictionary *userInfo;
/// A sound file of the app; nil for the system's sound.
@property (nonatomic, copy) NSString *sound;
@property (nonatomic, strong) JPushNotificationSound *soundSetting;
/// `UNNotificationAttachment` objects; others are ignored.
@property (nonatomic, copy) NSArray *attachments;
@property (nonatomic, copy) NSString *threadIdentifier;
@property (nonatomic, copy) NSString *launchImageName;
@property (nonatomic, copy) NSString *summaryArgument;
@property (nonatomic) NSUInteger summaryArgumentCount;
@property (nonatomic, copy) NSString *targetContentIdentifier;
/// A value of `UNNotificationInterruptionLevel`.
@property (nonatomic) NSUInteger interruptionLevel;
/// 0 to 1.
@property (nonatomic) double relevanceScore;
@property (nonatomic, copy) NSString *filterCriteria;

@end

/// The sound of a local notification.
@interface JPushNotificationSound : NSObject <NSCopying, NSSecureCoding>

@property (nonatomic, copy) NSString *soundName;
@property (nonatomic, copy) NSString *criticalSoundName;
/// 0 to 1.
@property (nonatomic) float criticalSoundVolume;

@end

/// The trigger of a local notification. One condition counts: the region before the date components, these before the interval.
@interface JPushNotificationTrigger : NSObject <NSCopying, NSSecureCoding>

@property (nonatomic) BOOL repeat;
/// Ignored since iOS 10.
@property (nonatomic, copy) NSDate *fireDate;
@property (nonatomic, strong) CLRegion *region;
@property (nonatomic, copy) NSDateComponents *dateComponents;
/// Seconds; at least 60 if it repeats.
@property (nonatomic) NSTimeInterval timeInterval;

@end

/// A request for a local notification.
@interface JPushNotificationRequest : NSObject <NSCopying, NSSecureCoding>

/// A later request with the same one replaces this one.
@property (nonatomic, copy) NSString *requestIdentifier;
@property (nonatomic, strong) JPushNotificationContent *content;
/// nil delivers at once.
@property (nonatomic, strong) JPushNotificationTrigger *trigger;
/// Called with the `UNNotificationRequest`, or with nil if it was refused.
@property (nonatomic, copy) void (^completionHandler)(id result);

@end

/// The notifications to find or to remove.
@interface JPushNotificationIdentifier : NSObject <NSCopying, NSSecureCoding>

/// nil or empty for all.
@property (nonatomic, copy) NSArray<NSString *> *identifiers;
@property (nonatomic, strong) UILocalNotification *notificationObj JPUSH_DEPRECATED("Use identifiers.");
/// Whether delivered notifications are meant rather than pending ones.
@property (nonatomic) BOOL delivered;
/// Called by `findNotification:`.
@property (nonatomic, copy) void (^findCompletionHandler)(NSArray *results);

@end

#pragma mark - Other values

/// A message that the SDK shows within the app. This one shows none.
@interface JPushInAppMessage : NSObject <NSCopying>

@property (nonatomic, copy) NSString *mesageId;
@property (nonatomic, copy) NSString *title;
@property (nonatomic, copy) NSString *content;
@property (nonatomic, copy) NSArray *target;
@property (nonatomic, copy) NSString *clickAction;
@property (nonatomic, copy) NSDictionary *extras;

@end

/// The device data that the SDK may read. This one reads none of it.
@interface JPushCollectControl : NSObject <NSCopying>

@property (nonatomic) BOOL ssid;
@property (nonatomic) BOOL bssid;
@property (nonatomic) BOOL cell;
@property (nonatomic) BOOL gps;

@end

#pragma mark - The SDK

/// JPush's interface for apps, over a Posthorn service. Completions run on the main thread.
@interface JPUSHService : NSObject

#pragma mark Start

/// Registers the app with the service, or logs in.
+ (void)setupWithOption:(NSDictionary *)launchOptions
                 appKey:(NSString *)appKey
                channel:(NSString *)channel
       apsForProduction:(BOOL)isProduction;
/// No advertising identifier is stored.
+ (void)setupWithOption:(NSDictionary *)launchOptions
                 appKey:(NSString *)appKey
                channel:(NSString *)channel
       apsForProduction:(BOOL)isProduction
  advertisingIdentifier:(NSString *)advertisingIdentifier;
/// Asks for permission and for a token, and becomes the notification centre's delegate. Call it before `setup`.
+ (void)registerForRemoteNotificationConfig:(JPUSHRegisterEntity *)config delegate:(id<JPUSHRegisterDelegate>)delegate;
+ (void)registerForRemoteNotificationTypes:(NSUInteger)types categories:(NSSet *)categories;
+ (void)registerDeviceToken:(NSData *)deviceToken;
/// Empty until the service has assigned one.
+ (NSString *)registrationID;
/// Calls the handler with 0 and the registration id, or with the code of the refusal and nil.
+ (void)registrationIDCompletionHandler:(void (^)(int resCode, NSString *registrationID))completionHandler;

#pragma mark Receipts

/// Reports that a push has arrived, or that the user has opened it.
+ (void)handleRemoteNotification:(NSDictionary *)remoteInfo;
+ (void)handleVoipNotification:(NSDictionary *)remoteInfo;

#pragma mark Tags

+ (void)addTags:(NSSet<NSString *> *)tags completion:(JPUSHTagsOperationCompletion)completion seq:(NSInteger)seq;
+ (void)setTags:(NSSet<NSString *> *)tags completion:(JPUSHTagsOperationCompletion)completion seq:(NSInteger)seq;
+ (void)deleteTags:(NSSet<NSString *> *)tags completion:(JPUSHTagsOperationCompletion)completion seq:(NSInteger)seq;
+ (void)cleanTags:(JPUSHTagsOperationCompletion)completion seq:(NSInteger)seq;
+ (void)getAllTags:(JPUSHTagsOperationCompletion)completion seq:(NSInteger)seq;
+ (void)validTag:(NSString *)tag completion:(JPUSHTagValidOperationCompletion)completion seq:(NSInteger)seq;
/// The valid tags, at most 1000.
+ (NSSet *)filterValidTags:(NSSet *)tags;
/// With the proofs of protected tags, which the app's backend makes. Posthorn's own.
+ (void)addTags:(NSSet<NSString *> *)tags
         proofs:(NSDictionary<NSString *, NSString *> *)proofs
     completion:(JPUSHTagsOperationCompletion)completion
            seq:(NSInteger)seq;
/// With the proofs of protected tags, which the app's backend makes. Posthorn's own.
+ (void)setTags:(NSSet<NSString *> *)tags
         proofs:(NSDictionary<NSString *, NSString *> *)proofs
     completion:(JPUSHTagsOperationCompletion)completion
            seq:(NSInteger)seq;

#pragma mark Alias

+ (void)setAlias:(NSString *)alias completion:(JPUSHAliasOperationCompletion)completion seq:(NSInteger)seq;
+ (void)deleteAlias:(JPUSHAliasOperationCompletion)completion seq:(NSInteger)seq;
+ (void)getAlias:(JPUSHAliasOperationCompletion)completion seq:(NSInteger)seq;
/// With the proof of the app's backend. Posthorn's own.
+ (void)setAlias:(NSString *)alias
           proof:(NSString *)proof
      completion:(JPUSHAliasOperationCompletion)completion
             seq:(NSInteger)seq;

#pragma mark Tags and alias before 3.0.6

+ (void)setTags:(NSSet *)tags
                     alias:(NSString *)alias
    fetchCompletionHandle:(void (^)(int iResCode, NSSet *iTags, NSString *iAlias))completionHandler
    JPUSH_DEPRECATED("Use setTags and setAlias with completion and seq.");
+ (void)setTags:(NSSet *)tags
    aliasInbackground:(NSString *)alias JPUSH_DEPRECATED("Use setTags and setAlias with completion and seq.");
+ (void)setTags:(NSSet *)tags
               alias:(NSString *)alias
    callbackSelector:(SEL)cbSelector
              object:(id)theTarget JPUSH_DEPRECATED("Use setTags and setAlias with completion and seq.");
+ (void)setTags:(NSSet *)tags
               alias:(NSString *)alias
    callbackSelector:(SEL)cbSelector
              target:(id)theTarget JPUSH_DEPRECATED("Use setTags and setAlias with completion and seq.");
+ (void)setTags:(NSSet *)tags
    callbackSelector:(SEL)cbSelector
              object:(id)theTarget JPUSH_DEPRECATED("Use setTags:completion:seq:.");
+ (void)setAlias:(NSString *)alias
    callbackSelector:(SEL)cbSelector
              object:(id)theTarget JPUSH_DEPRECATED("Use setAlias:completion:seq:.");

#pragma mark Properties, attributes and topics

/// Answers 6036: the service has no properties. So do the next two.
+ (void)setProperties:(NSDictionary *)properties
           completion:(JPUSHPropertiesOperationCompletion)completion
                  seq:(NSInteger)seq;
+ (void)deleteProperties:(NSSet<NSString *> *)properties
              completion:(JPUSHPropertiesOperationCompletion)completion
                     seq:(NSInteger)seq;
+ (void)cleanProperties:(JPUSHPropertiesOperationCompletion)completion seq:(NSInteger)seq;
/// Texts for the variables of alerts. Posthorn's own.
+ (void)setAttributes:(NSDictionary<NSString *, NSString *> *)attributes completion:(void (^)(NSError *error))completion;
/// Replaces the topics that the user declines. Posthorn's own.
+ (void)declineTopics:(NSArray<NSString *> *)topics
           completion:(void (^)(NSDictionary<NSString *, NSNumber *> *topics, NSError *error))completion;
/// The topics of the app, with whether the user declines them. Posthorn's own.
+ (void)getTopics:(void (^)(NSDictionary<NSString *, NSNumber *> *topics, NSError *error))completion;

#pragma mark Badge and number

/// Stores the badge in the service, 0 to 99999; NO for any other. The icon does not change.
+ (BOOL)setBadge:(NSInteger)value;
+ (void)resetBadge;
/// nil or empty for none. The error's code is a client result code.
+ (void)setMobileNumber:(NSString *)mobileNumber completion:(void (^)(NSError *error))completion;

#pragma mark Local notifications

+ (void)addNotification:(JPushNotificationRequest *)request;
/// nil removes all, pending and delivered.
+ (void)removeNotification:(JPushNotificationIdentifier *)identifier;
+ (void)findNotification:(JPushNotificationIdentifier *)identifier;

+ (UILocalNotification *)setLocalNotification:(NSDate *)fireDate
                                    alertBody:(NSString *)alertBody
                                        badge:(int)badge
                                  alertAction:(NSString *)alertAction
                                identifierKey:(NSString *)notificationKey
                                     userInfo:(NSDictionary *)userInfo
                                    soundName:(NSString *)soundName JPUSH_DEPRECATED("Use addNotification:.");
+ (UILocalNotification *)setLocalNotification:(NSDate *)fireDate
                                    alertBody:(NSString *)alertBody
                                        badge:(int)badge
                                  alertAction:(NSString *)alertAction
                                identifierKey:(NSString *)notificationKey
                                     userInfo:(NSDictionary *)userInfo
                                    soundName:(NSString *)soundName
                                       region:(CLRegion *)region
                           regionTriggersOnce:(BOOL)regionTriggersOnce
                                     category:(NSString *)category JPUSH_DEPRECATED("Use addNotification:.");
+ (void)showLocalNotificationAtFront:(UILocalNotification *)notification
                       identifierKey:(NSString *)notificationKey
    JPUSH_DEPRECATED("Use the delegate of registerForRemoteNotificationConfig:delegate:.");
+ (void)deleteLocalNotificationWithIdentifierKey:(NSString *)notificationKey JPUSH_DEPRECATED("Use removeNotification:.");
+ (void)deleteLocalNotification:(UILocalNotification *)localNotification JPUSH_DEPRECATED("Use removeNotification:.");
/// The pending `UILocalNotification` objects of this name.
+ (NSArray *)findLocalNotificationWithIdentifier:(NSString *)notificationKey JPUSH_DEPRECATED("Use findNotification:.");
+ (void)clearAllLocalNotifications JPUSH_DEPRECATED("Use removeNotification:.");

#pragma mark Switches

/// NO: neither notifications nor custom messages arrive.
+ (void)setPushEnable:(BOOL)isEnable completion:(void (^)(NSInteger iResCode))completion;
+ (void)getPushStatus:(void (^)(NSInteger iResCode, BOOL isStopped))completion;
+ (void)turnOffPush:(void (^)(NSInteger iResCode))completion;
+ (void)turnOnPush;
/// Whether custom messages arrive in the background, too. Call it before `setup`.
+ (void)setBackgroundEnable:(BOOL)enable;
/// The seconds between two pings of the link for custom messages, 30 to 290. Call it before `setup`.
+ (void)setHeartBeatTimeInterval:(NSInteger)interval;
+ (void)setDebugMode;
+ (void)setLogOFF;

#pragma mark Tokens

+ (void)registerVoipToken:(NSData *)voipToken;
/// nil unregisters the token.
+ (void)registerLiveActivity:(NSString *)liveActivityId
                   pushToken:(NSData *)pushToken
                  completion:(JPUSHLiveActivityTokenCompletion)completion
                         seq:(NSInteger)seq;
+ (void)registerLiveActivity:(NSString *)activityAttributes
            pushToStartToken:(NSData *)pushToStartToken
                  completion:(JPUSHLiveActivityTokenCompletion)completion
                         seq:(NSInteger)seq;

#pragma mark Permission

/// The status, without a prompt.
+ (void)requestNotificationAuthorization:(void (^)(JPAuthorizationStatus status))completion;
+ (void)openSettingsForNotification:(void (^)(BOOL success))completionHandler;

#pragma mark In-app messages

// None is shown.

+ (void)pageEnterTo:(NSString *)pageName;
+ (void)pageLeave:(NSString *)pageName;
+ (void)setInAppMessageDelegate:(id<JPUSHInAppMessageDelegate>)delegate;
+ (void)setNotiInMessageDelegate:(id<JPUSHNotiInMessageDelegate>)delegate;

#pragma mark Geofences and location

// The service has no geofences, and no location is sent.

+ (void)registerLbsGeofenceDelegate:(id<JPUSHGeofenceDelegate>)delegate withLaunchOptions:(NSDictionary *)launchOptions;
/// Reports 7001 to the delegate.
+ (void)removeGeofenceWithIdentifier:(NSString *)geofenceId;
+ (void)setGeofeneceMaxCount:(NSInteger)count;
+ (void)setGeofenecMaxCount:(NSInteger)count;
+ (void)setGeofenecePeriodForInside:(NSInteger)period;
+ (void)setLatitude:(double)latitude longitude:(double)longitude;
+ (void)setLocation:(CLLocation *)location;
+ (void)setLocationEanable:(BOOL)isEanble;

#pragma mark Statistics

// No effect: nothing is collected.

+ (void)crashLogON;
+ (void)setCollectControl:(JPushCollectControl *)control;
+ (void)setSmartPushEnable:(BOOL)isEnable;
+ (void)setDataInsightsEnable:(BOOL)isEnable;
+ (void)startLogPageView:(NSString *)pageName;
+ (void)stopLogPageView:(NSString *)pageName;
+ (void)beginLogPageView:(NSString *)pageName duration:(int)seconds;

#pragma mark Posthorn's own

/// The address of the service, in place of the Info.plist's. Call it before `setup`.
+ (void)setService:(NSURL *)url;
/// Sends receipts that wait when the app leaves the screen, and by the background task `posthorn.refresh`, if the app's Info.plist lists it
/// under `BGTaskSchedulerPermittedIdentifiers`. Call it before `application:didFinishLaunchingWithOptions:` returns.
+ (void)sendInBackground;
/// The service deletes the device.
+ (void)unregister:(void (^)(void))completion;
/// Why the user gets nothing: a cause, such as `well` or `permission`, and a sentence in the device's language; lines after the first are
/// for the developer.
+ (void)diagnose:(void (^)(NSString *cause, NSString *sentence))completion;

@end

#pragma mark - Delegates

/// Receives notifications in place of the notification centre's delegate. Every method is optional.
@protocol JPUSHRegisterDelegate <NSObject>
@optional

/// A notification arrives in front. The handler takes the bits of `UNNotificationPresentationOptions`.
- (void)jpushNotificationCenter:(UNUserNotificationCenter *)center
        willPresentNotification:(UNNotification *)notification
          withCompletionHandler:(void (^)(NSInteger))completionHandler;
/// The user acted on a notification.
- (void)jpushNotificationCenter:(UNUserNotificationCenter *)center
 didReceiveNotificationResponse:(UNNotificationResponse *)response
          withCompletionHandler:(void (^)(void))completionHandler;
/// The user opens the app's own settings from a notification.
- (void)jpushNotificationCenter:(UNUserNotificationCenter *)center
    openSettingsForNotification:(UNNotification *)notification;
/// The user's answer to the prompt.
- (void)jpushNotificationAuthorization:(JPAuthorizationStatus)status withInfo:(NSDictionary *)info;

@end

/// Receives events about in-app messages. None is called.
@protocol JPUSHInAppMessageDelegate <NSObject>
@optional

- (void)jPushInAppMessageDidShow:(JPushInAppMessage *)inAppMessage;
- (void)jPushInAppMessageDidClick:(JPushInAppMessage *)inAppMessage;

@end

/// Receives events about banners that the SDK shows. None is called.
@protocol JPUSHNotiInMessageDelegate <NSObject>
@optional

- (void)jPushNotiInMessageDidShowWithContent:(NSDictionary *)content;
- (void)jPushNotiInMessageDidClickWithContent:(NSDictionary *)content;

@end

/// Receives events about geofences.
@protocol JPUSHGeofenceDelegate <NSObject>
@optional

/// Called with code 7001 by `removeGeofenceWithIdentifier:`.
- (void)jpushGeofenceRegion:(NSDictionary *)geofence error:(NSError *)error;
/// Never called.
- (void)jpushCallbackGeofenceReceived:(NSArray<NSDictionary *> *)geofenceList;
/// Never called.
- (void)jpushGeofenceIdentifer:(NSString *)geofenceId
                didEnterRegion:(NSDictionary *)userInfo
                         error:(NSError *)error JPUSH_DEPRECATED("Use jpushGeofenceRegion:error:.");
/// Never called.
- (void)jpushGeofenceIdentifer:(NSString *)geofenceId
                 didExitRegion:(NSDictionary *)userInfo
                         error:(NSError *)error JPUSH_DEPRECATED("Use jpushGeofenceRegion:error:.");

@end

#endif

#endif

#import "JPUSHService.h"

#if !defined(TARGET_OS_IOS) || TARGET_OS_IOS

NSNotificationName const kJPFNetworkIsConnectingNotification = @"kJPFNetworkIsConnectingNotification";
NSNotificationName const kJPFNetworkDidSetupNotification = @"kJPFNetworkDidSetupNotification";
NSNotificationName const kJPFNetworkDidCloseNotification = @"kJPFNetworkDidCloseNotification";
NSNotificationName const kJPFNetworkDidRegisterNotification = @"kJPFNetworkDidRegisterNotification";
NSNotificationName const kJPFNetworkFailedRegisterNotification = @"kJPFNetworkFailedRegisterNotification";
NSNotificationName const kJPFNetworkDidLoginNotification = @"kJPFNetworkDidLoginNotification";
NSNotificationName const kJPFNetworkDidReceiveMessageNotification = @"kJPFNetworkDidReceiveMessageNotification";
NSNotificationName const kJPFServiceErrorNotification = @"kJPFServiceErrorNotification";

#endif

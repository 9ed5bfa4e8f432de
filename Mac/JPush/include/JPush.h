// Everything that `import JPush` shows.

#import "JGInforCollectionAuth.h"
#import "JPUSHService.h"

#if __has_include(<JPushNotificationExtensionService.h>)
#import <JPushNotificationExtensionService.h>
#endif

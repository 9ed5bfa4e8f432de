// The SDK of JPush is Objective-C: in an Xcode project this header brings it to Swift, in the place of `import JPush`.
#import "JPUSHService.h"

// The user's consent to the collection of data, as JPush's SDK asks for it. It has no effect: nothing is collected.

#ifndef JGInforCollectionAuth_h
#define JGInforCollectionAuth_h

#if __has_include(<TargetConditionals.h>)
#include <TargetConditionals.h>
#endif

#if !defined(TARGET_OS_IOS) || TARGET_OS_IOS

#import <Foundation/Foundation.h>

/// The user's consents.
@interface JGInforCollectionAuthItems : NSObject

@property (nonatomic) BOOL isAuth;

@end

@interface JGInforCollectionAuth : NSObject

/// Asks the app at once for the user's consent.
+ (void)JCollectionAuth:(void (^)(JGInforCollectionAuthItems *authInfo))authBlock;

@end

#endif

#endif

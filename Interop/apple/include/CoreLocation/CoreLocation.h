// CoreLocation as far as the sources use it, written from its documentation.
#pragma once

#import <Foundation/Foundation.h>

@interface CLRegion : NSObject <NSCopying, NSSecureCoding>
@end
@interface CLLocation : NSObject <NSCopying, NSSecureCoding>
@end

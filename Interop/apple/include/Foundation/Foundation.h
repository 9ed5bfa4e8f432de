// Foundation as far as the sources use it, written from its documentation.
#pragma once

#import <ObjectiveC/NSObject.h>
#import <dispatch/dispatch.h>

NIL_BEGIN

@class NSArray<ObjectType>, NSCoder, NSData, NSDictionary<KeyType, ObjectType>, NSSet<ObjectType>, NSString;

typedef double NSTimeInterval NS_SWIFT_NAME(TimeInterval);
typedef NSString *NSNotificationName NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(NSNotification.Name);
typedef NSString *NSErrorDomain;
typedef NSString *NSErrorUserInfoKey;

void NSLog(NSString *format, ...);

@protocol NSCopying
- (id)copyWithZone:(nullable NSZone *)zone;
@end
@protocol NSMutableCopying
- (id)mutableCopyWithZone:(nullable NSZone *)zone;
@end
@protocol NSCoding
- (void)encodeWithCoder:(NSCoder *)coder;
- (nullable instancetype)initWithCoder:(NSCoder *)coder;
@end
@protocol NSSecureCoding <NSCoding>
@property (class, readonly) BOOL supportsSecureCoding;
@end
typedef struct {
    unsigned long state;
    id __unsafe_unretained _Nullable *_Nullable itemsPtr;
    unsigned long *_Nullable mutationsPtr;
    unsigned long extra[5];
} NSFastEnumerationState;
@protocol NSFastEnumeration
- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState *)state
                                  objects:(id __unsafe_unretained _Nullable[_Nonnull])buffer
                                    count:(NSUInteger)count;
@end

@interface NSCoder : NSObject
@end

__attribute__((swift_bridge("Swift.String")))
@interface NSString : NSObject <NSCopying, NSMutableCopying, NSSecureCoding>
@property (readonly) NSUInteger length;
@property (readonly) NSInteger integerValue;
@property (readonly) float floatValue;
- (BOOL)isEqualToString:(NSString *)string;
- (NSString *)stringByAppendingString:(NSString *)string;
+ (instancetype)stringWithFormat:(NSString *)format, ...;
@end
@interface NSConstantString : NSString
@end

@interface NSValue : NSObject <NSCopying, NSSecureCoding>
@end
@interface NSNumber : NSValue
@property (readonly) BOOL boolValue;
@property (readonly) double doubleValue;
@property (readonly) NSInteger integerValue;
@property (readonly, copy) NSString *stringValue;
+ (NSNumber *)numberWithBool:(BOOL)value;
+ (NSNumber *)numberWithInt:(int)value;
+ (NSNumber *)numberWithInteger:(NSInteger)value;
+ (NSNumber *)numberWithLong:(long)value;
+ (NSNumber *)numberWithUnsignedLong:(unsigned long)value;
+ (NSNumber *)numberWithDouble:(double)value;
@end

__attribute__((swift_bridge("Swift.Array")))
@interface NSArray<ObjectType> : NSObject <NSCopying, NSMutableCopying, NSSecureCoding, NSFastEnumeration>
@property (readonly) NSUInteger count;
- (ObjectType)objectAtIndex:(NSUInteger)index;
- (ObjectType)objectAtIndexedSubscript:(NSUInteger)index;
+ (instancetype)arrayWithObjects:(const ObjectType _Nonnull[_Nullable])objects count:(NSUInteger)count;
@end
@interface NSMutableArray<ObjectType> : NSArray<ObjectType>
- (void)addObject:(ObjectType)object;
- (void)removeAllObjects;
@end

__attribute__((swift_bridge("Swift.Set")))
@interface NSSet<ObjectType> : NSObject <NSCopying, NSMutableCopying, NSSecureCoding, NSFastEnumeration>
@property (readonly, copy) NSArray<ObjectType> *allObjects;
+ (instancetype)setWithArray:(NSArray<ObjectType> *)array;
+ (instancetype)setWithObject:(ObjectType)object;
@end

__attribute__((swift_bridge("Swift.Dictionary")))
@interface NSDictionary<KeyType, ObjectType> : NSObject <NSCopying, NSMutableCopying, NSSecureCoding, NSFastEnumeration>
@property (readonly) NSUInteger count;
@property (readonly, copy) NSArray<KeyType> *allKeys;
- (nullable ObjectType)objectForKey:(KeyType)key;
- (nullable ObjectType)objectForKeyedSubscript:(KeyType)key;
- (nullable id)valueForKey:(NSString *)key;
- (instancetype)initWithDictionary:(NSDictionary<KeyType, ObjectType> *)other;
+ (instancetype)dictionary;
+ (instancetype)dictionaryWithDictionary:(NSDictionary<KeyType, ObjectType> *)other;
+ (instancetype)dictionaryWithObjectsAndKeys:(id)first, ...;
+ (instancetype)dictionaryWithObjects:(const ObjectType _Nonnull[_Nullable])objects
                              forKeys:(const KeyType<NSCopying> _Nonnull[_Nullable])keys
                                count:(NSUInteger)count;
@end
@interface NSMutableDictionary<KeyType, ObjectType> : NSDictionary<KeyType, ObjectType>
- (void)setObject:(ObjectType)object forKey:(KeyType<NSCopying>)key;
- (void)setObject:(nullable ObjectType)object forKeyedSubscript:(KeyType<NSCopying>)key;
- (void)setValue:(nullable ObjectType)value forKey:(NSString *)key;
- (void)removeObjectForKey:(KeyType)key;
@end

__attribute__((swift_bridge("Data")))
@interface NSData : NSObject <NSCopying, NSMutableCopying, NSSecureCoding>
@property (readonly) NSUInteger length;
@property (readonly) const void *bytes;
@end
__attribute__((swift_bridge("URL")))
@interface NSURL : NSObject <NSCopying, NSSecureCoding>
+ (nullable instancetype)URLWithString:(NSString *)text;
@end
__attribute__((swift_bridge("Date")))
@interface NSDate : NSObject <NSCopying, NSSecureCoding>
@property (readonly) NSTimeInterval timeIntervalSince1970;
+ (instancetype)date;
+ (instancetype)dateWithTimeIntervalSince1970:(NSTimeInterval)seconds;
+ (instancetype)dateWithTimeIntervalSinceNow:(NSTimeInterval)seconds;
@end
__attribute__((swift_bridge("DateComponents")))
@interface NSDateComponents : NSObject <NSCopying, NSSecureCoding>
@property NSInteger second;
@end
typedef NS_OPTIONS(NSUInteger, NSCalendarUnit) {
    NSCalendarUnitYear = 4,
    NSCalendarUnitSecond = 128,
};
enum {
    NSYearCalendarUnit = 4,
    NSMonthCalendarUnit = 8,
    NSDayCalendarUnit = 16,
    NSHourCalendarUnit = 32,
    NSMinuteCalendarUnit = 64,
    NSSecondCalendarUnit = 128,
};
@interface NSCalendar : NSObject <NSCopying, NSSecureCoding>
@property (class, readonly, copy) NSCalendar *currentCalendar;
- (NSDateComponents *)components:(NSCalendarUnit)units fromDate:(NSDate *)date;
@end
__attribute__((swift_bridge("Swift.Error")))
@interface NSError : NSObject <NSCopying, NSSecureCoding>
@property (readonly, copy) NSErrorDomain domain;
@property (readonly) NSInteger code;
@property (readonly, copy) NSString *localizedDescription;
- (instancetype)initWithDomain:(NSErrorDomain)domain
                          code:(NSInteger)code
                      userInfo:(nullable NSDictionary<NSErrorUserInfoKey, id> *)userInfo;
@end

@interface NSNotification : NSObject <NSCopying>
@property (readonly, copy) NSNotificationName name;
@property (nullable, readonly) id object;
@property (nullable, readonly, copy) NSDictionary *userInfo;
@end
@interface NSNotificationCenter : NSObject
@property (class, readonly, strong) NSNotificationCenter *defaultCenter;
- (void)addObserver:(id)observer selector:(SEL)selector name:(nullable NSNotificationName)name object:(nullable id)object;
- (void)removeObserver:(id)observer;
@end

NIL_END

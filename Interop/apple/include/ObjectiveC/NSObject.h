// Objective-C's root, as far as the sources use it.
#pragma once

#define NS_SWIFT_NAME(name) __attribute__((swift_name(#name)))
#define NS_SWIFT_UI_ACTOR __attribute__((swift_attr("@UIActor")))
#define NS_TYPED_EXTENSIBLE_ENUM __attribute__((swift_wrapper(struct)))
#define NS_ENUM(type, name) enum __attribute__((enum_extensibility(open))) name : type name; enum name : type
#ifdef __cplusplus
#define NS_OPTIONS(type, name) type name; enum __attribute__((flag_enum)) : name
#else
#define NS_OPTIONS(type, name) enum __attribute__((flag_enum, enum_extensibility(open))) name : type name; enum name : type
#endif
#define IOS(version) __attribute__((availability(ios, introduced = version)))
#define IOS_DEPRECATED(first, last, text) __attribute__((availability(ios, introduced = first, deprecated = last, message = text)))
#define NOT_IN_EXTENSIONS __attribute__((availability(ios_app_extension, unavailable)))
#define NIL_BEGIN _Pragma("clang assume_nonnull begin")
#define NIL_END _Pragma("clang assume_nonnull end")

typedef signed char BOOL;
#define YES ((BOOL)1)
#define NO ((BOOL)0)
#define nil ((id)0)
#define NULL ((void *)0)
#ifndef __cplusplus
#define bool _Bool
#define true 1
#define false 0
#endif
typedef long NSInteger;
typedef unsigned long NSUInteger;
typedef unsigned int uint32_t;
typedef struct _NSZone NSZone;

NIL_BEGIN

@protocol NSObject
- (BOOL)isEqual:(nullable id)object;
- (BOOL)isKindOfClass:(Class)aClass;
- (BOOL)respondsToSelector:(SEL)aSelector;
@end

__attribute__((objc_root_class))
@interface NSObject <NSObject>
+ (instancetype)alloc;
+ (instancetype)new;
- (instancetype)init __attribute__((objc_designated_initializer));
+ (Class)class;
- (id)copy;
- (id)mutableCopy;
- (void)dealloc;
@end

NIL_END

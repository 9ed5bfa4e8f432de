#pragma once
#import <ObjectiveC/NSObject.h>
typedef void (^dispatch_block_t)(void);
typedef NSObject *dispatch_queue_t;
typedef long dispatch_once_t;
typedef long dispatch_time_t;
dispatch_queue_t dispatch_get_main_queue(void);
void dispatch_async(dispatch_queue_t queue, dispatch_block_t block);
void dispatch_once(dispatch_once_t *predicate, dispatch_block_t block);
void dispatch_after(dispatch_time_t when, dispatch_queue_t queue, dispatch_block_t block);
dispatch_time_t dispatch_time(dispatch_time_t when, long delta);
#define DISPATCH_TIME_NOW 0
#define NSEC_PER_SEC 1000000000

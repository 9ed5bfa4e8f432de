// Of the check's own: what an iPhone's headers say of their target.
#define TARGET_OS_IOS 1
#define TARGET_OS_IPHONE 1

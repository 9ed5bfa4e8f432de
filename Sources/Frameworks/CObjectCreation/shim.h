// Creates objects of Swift classes that are known at run time only. Swift can do so for classes with a required initialiser;
// NSObject's init() is not required, but it has an entry in the method table of every class that derives from NSObject.

// Foundation's descriptors of NSObject and of its allocating init().
extern const char nsobject_descriptor[] __asm__("$s10Foundation8NSObjectCMn");
extern const char nsobject_init[] __asm__("$s10Foundation8NSObjectCACycfCTq");
// The runtime's lookup in the method table of a class.
extern void *swift_lookUpClassMethod(const void *metadata, const void *method, const void *description);

// An allocating initialiser: takes the class in the context register, and returns a retained object.
typedef __attribute__((swiftcall)) void *allocating_init(__attribute__((swift_context)) const void *type);

/// Creates an object with the class's own init(). `type` has to derive from NSObject.
static inline void *create_nsobject(const void *type) {
    return ((allocating_init *)swift_lookUpClassMethod(type, nsobject_init, nsobject_descriptor))(type);
}

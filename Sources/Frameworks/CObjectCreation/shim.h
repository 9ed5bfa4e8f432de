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

// UIKit's descriptors of UIViewController and of its allocating init(nibName:bundle:).
extern const char view_controller_descriptor[] __asm__("$s5UIKit16UIViewControllerCMn");
extern const char view_controller_init[] __asm__(
    "$s5UIKit16UIViewControllerC7nibName6bundleACSSSg_10Foundation6BundleCSgtcfCTq");

// The initialiser takes an optional string of two words and an optional object; all of them zero are nil.
typedef __attribute__((swiftcall)) void *allocating_nib_init(
    const void *name, const void *name_object, const void *bundle, __attribute__((swift_context)) const void *type);

/// Creates a view controller with the class's init(nibName: nil, bundle: nil). `type` has to derive from UIViewController.
static inline void *create_view_controller(const void *type) {
    void *init = swift_lookUpClassMethod(type, view_controller_init, view_controller_descriptor);
    return ((allocating_nib_init *)init)(0, 0, 0, type);
}

// UIKit's descriptors of UITableViewCell and of its allocating init(style:reuseIdentifier:).
extern const char table_view_cell_descriptor[] __asm__("$s5UIKit15UITableViewCellCMn");
extern const char table_view_cell_init[] __asm__(
    "$s5UIKit15UITableViewCellC5style15reuseIdentifierA2C0D5StyleO_SSSgtcfCTq");

// The initialiser takes a style of one byte and an optional string of two words, which it releases.
typedef __attribute__((swiftcall)) void *allocating_cell_init(
    unsigned char style, const void *name, const void *name_object, __attribute__((swift_context)) const void *type);

/// Creates a cell with the class's init(style:reuseIdentifier:), and takes over the string at `name`. `type` has to derive from
/// UITableViewCell.
static inline void *create_table_view_cell(const void *type, unsigned char style, const void *name) {
    const void *const *words = (const void *const *)name;
    void *init = swift_lookUpClassMethod(type, table_view_cell_init, table_view_cell_descriptor);
    return ((allocating_cell_init *)init)(style, words[0], words[1], type);
}

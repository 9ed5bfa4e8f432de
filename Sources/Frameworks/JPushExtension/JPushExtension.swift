// The part of JPush's API for service extensions, by the name that it has on Apple's systems.
@_exported public import JPush

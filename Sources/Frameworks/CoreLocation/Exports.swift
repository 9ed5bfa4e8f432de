// Apple's module brings Foundation along; sources rely on it.
@_exported public import Foundation

// Apple's module re-exports Foundation; sources rely on it.
@_exported public import Foundation

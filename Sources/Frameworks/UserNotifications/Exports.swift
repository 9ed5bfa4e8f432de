// Apple's module re-exports Foundation; sources rely on it. On Linux Foundation lacks URLSession, which service extensions use.
@_exported public import Foundation

#if canImport(FoundationNetworking)
@_exported public import FoundationNetworking
#endif

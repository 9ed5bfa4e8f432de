// The contract of stores, and the calls that it has in common with the other tests, are known in all of these files.
@_exported public import PushStoreConformance
// Calls of a concrete store reach extensions of its cold half.
@_exported public import PushStoreSQL

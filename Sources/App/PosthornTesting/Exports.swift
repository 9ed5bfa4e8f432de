@_exported public import PosthornPhone

import UniformTypeIdentifiers

// The functions of before iOS 14 that find the type of a file extension or of a MIME type.

/// Core Foundation's strings, as sources write them for these functions.
public typealias CFString = String

/// The class of file extensions.
public let kUTTagClassFilenameExtension = "public.filename-extension"
/// The class of MIME types.
public let kUTTagClassMIMEType = "public.mime-type"

/// A text that a function of Core Foundation returns. Linux counts no references to it.
public struct UnmanagedText: Equatable, Sendable {
    let text: CFString

    /// Returns the text.
    public func takeRetainedValue() -> CFString { text }
    /// Returns the text.
    public func takeUnretainedValue() -> CFString { text }
}

/// Returns the identifier of the type with this extension or MIME type.
///
/// - Parameters:
///   - inTagClass: ``kUTTagClassFilenameExtension`` or ``kUTTagClassMIMEType``.
///   - inTag: the extension without the dot, or the MIME type.
///   - inConformingToUTI: a type that it has to conform to; nil for any.
/// - Returns: the identifier; nil if no declared type fits. Apple's systems make one up, which begins with `dyn.`.
public func UTTypeCreatePreferredIdentifierForTag(
    _ inTagClass: CFString,
    _ inTag: CFString,
    _ inConformingToUTI: CFString?
) -> UnmanagedText? {
    let found = inTagClass == kUTTagClassMIMEType ? UTType(mimeType: inTag) : UTType(filenameExtension: inTag)
    guard let type = found?.identifier, inConformingToUTI.map({ UTTypeConformsTo(type, $0) }) ?? true else {
        return nil
    }
    return UnmanagedText(text: type)
}

/// Returns the usual extension or MIME type of a type; nil if it has none.
public func UTTypeCopyPreferredTagWithClass(_ inUTI: CFString, _ inTagClass: CFString) -> UnmanagedText? {
    let type = UTType(inUTI)
    let tag = inTagClass == kUTTagClassMIMEType ? type?.preferredMIMEType : type?.preferredFilenameExtension
    return tag.map(UnmanagedText.init)
}

/// Whether a type is the other one, or a subtype of it.
public func UTTypeConformsTo(_ inUTI: CFString, _ inConformsToUTI: CFString) -> Bool {
    guard let type = UTType(inUTI), let other = UTType(inConformsToUTI) else { return inUTI == inConformsToUTI }
    return type.conforms(to: other)
}

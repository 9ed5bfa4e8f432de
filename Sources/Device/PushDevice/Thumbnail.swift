import SystemPort

/// The small picture beside a notification's text.
public struct Thumbnail: Hashable, Sendable {
    /// The path of the file in the device's store.
    public var path: String
    /// A uniform type identifier of an image or a film.
    public var type: String
    /// The part of the picture that it shows.
    public var part = Part()
    /// The moment of a film that it shows, in seconds; nil for an image.
    public var time: Double?

    /// A rectangle in fractions of the picture, origin at the top left.
    public struct Part: Hashable, Sendable {
        /// The left edge of the part, as a fraction of the width.
        public var x = 0.0
        /// The upper edge of the part, as a fraction of the height.
        public var y = 0.0
        /// The width of the part, as a fraction of the picture's.
        public var width = 1.0
        /// The height of the part, as a fraction of the picture's.
        public var height = 1.0
    }

    /// Returns nil for an attachment without a thumbnail: a sound, or one that hides it.
    init?(_ attachment: AttachmentRecord) {
        guard !attachment.hidesThumbnail, let kind = AttachmentType(identifier: attachment.type)?.kind, kind != .audio
        else { return nil }
        path = attachment.path
        type = attachment.type
        if let numbers = attachment.clipping, numbers.count == 4 {
            part = Part(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        }
        // A film shows its beginning unless specified otherwise.
        if kind == .movie { time = attachment.thumbnailTime ?? 0 }
    }
}

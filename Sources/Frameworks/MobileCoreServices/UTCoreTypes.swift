// Uniform type identifiers by their old names, as strings. Source: Apple, "Uniform Type Identifiers Reference",
// system-declared types.

/// The type `public.item`: anything: files, folders, and more.
public let kUTTypeItem = "public.item"
/// The type `public.data`: any sequence of bytes.
public let kUTTypeData = "public.data"
/// The type `public.content`: anything with content: documents, pictures, films.
public let kUTTypeContent = "public.content"
/// The type `public.text`: any text, with or without formats.
public let kUTTypeText = "public.text"
/// The type `public.plain-text`: text without formats.
public let kUTTypePlainText = "public.plain-text"
/// The type `public.url`: a URL.
public let kUTTypeURL = "public.url"
/// The type `public.json`: JSON.
public let kUTTypeJSON = "public.json"
/// The type `com.adobe.pdf`: PDF documents.
public let kUTTypePDF = "com.adobe.pdf"

/// The type `public.image`: any picture.
public let kUTTypeImage = "public.image"
/// The type `public.png`: PNG pictures.
public let kUTTypePNG = "public.png"
/// The type `public.jpeg`: JPEG pictures.
public let kUTTypeJPEG = "public.jpeg"
/// The type `public.jpeg-2000`: JPEG 2000 pictures.
public let kUTTypeJPEG2000 = "public.jpeg-2000"
/// The type `public.tiff`: TIFF pictures.
public let kUTTypeTIFF = "public.tiff"
/// The type `com.apple.pict`: PICT pictures.
public let kUTTypePICT = "com.apple.pict"
/// The type `com.compuserve.gif`: GIF pictures.
public let kUTTypeGIF = "com.compuserve.gif"
/// The type `com.microsoft.bmp`: BMP pictures.
public let kUTTypeBMP = "com.microsoft.bmp"
/// The type `com.apple.quicktime-image`: QuickTime pictures.
public let kUTTypeQuickTimeImage = "com.apple.quicktime-image"

/// The type `public.audiovisual-content`: anything heard or seen over time.
public let kUTTypeAudiovisualContent = "public.audiovisual-content"
/// The type `public.movie`: any film.
public let kUTTypeMovie = "public.movie"
/// The type `public.video`: films without sound.
public let kUTTypeVideo = "public.video"
/// The type `public.audio`: any sound.
public let kUTTypeAudio = "public.audio"
/// The type `com.apple.quicktime-movie`: QuickTime films.
public let kUTTypeQuickTimeMovie = "com.apple.quicktime-movie"
/// The type `public.mpeg`: MPEG-1 and MPEG-2 films.
public let kUTTypeMPEG = "public.mpeg"
/// The type `public.mpeg-2-video`: MPEG-2 films.
public let kUTTypeMPEG2Video = "public.mpeg-2-video"
/// The type `public.mpeg-4`: MPEG-4 films.
public let kUTTypeMPEG4 = "public.mpeg-4"
/// The type `public.avi`: AVI films.
public let kUTTypeAVIMovie = "public.avi"
/// The type `public.mp3`: MP3 sounds.
public let kUTTypeMP3 = "public.mp3"
/// The type `public.mpeg-4-audio`: MPEG-4 sounds.
public let kUTTypeMPEG4Audio = "public.mpeg-4-audio"
/// The type `public.aiff-audio`: AIFF sounds.
public let kUTTypeAudioInterchangeFileFormat = "public.aiff-audio"
/// The type `com.microsoft.waveform-audio`: WAVE sounds.
public let kUTTypeWaveformAudio = "com.microsoft.waveform-audio"

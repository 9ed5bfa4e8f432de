import AdSupport
import Foundation
import MobileCoreServices
import PosthornTesting
import PushDevice
import PushModel
import SystemPort
import Testing
import UIKit
import UniformTypeIdentifiers

@Suite("AdSupport, MobileCoreServices and UniformTypeIdentifiers")
@MainActor
struct SmallFrameworkTests {
    @Test(
        "The advertising identifier is the device's, not the app's; since iOS 14 there is none",
        arguments: [9, 13, 14, 17]
    )
    func advertising(_ major: Int) async {
        let phone = TestPhone(.iOS(major))
        let other = TestPhone(.iOS(major), seed: 2)
        var found: [UUID] = []
        for (phone, id) in [(phone, "com.example.a"), (phone, "com.example.b"), (other, "com.example.a")] {
            let app = InstalledApp(bundleID: id, name: id)
            phone.install(app) { PlainApp() }
            await phone.open(app)
            let facts = await phone.device.inside(id) {
                let manager = ASIdentifierManager.shared()
                return (manager.advertisingIdentifier, manager.isAdvertisingTrackingEnabled)
            }
            if let facts { found.append(facts.0) }
            #expect(facts?.1 == (major < 14))
        }
        #expect(found.count == 3)
        #expect(found.first == found.dropFirst().first)
        #expect((found.first?.uuidString == "00000000-0000-0000-0000-000000000000") == (major >= 14))
        #expect((found.first == found.last) == (major >= 14))
    }

    @Test("The functions of before iOS 14 find types by their extension or MIME type, and tell both of a type")
    func tags() throws {
        // As sources write it, with Core Foundation's strings.
        let path = "photo.JPG"
        let ext = NSString(string: path).pathExtension as CFString
        let found = UTTypeCreatePreferredIdentifierForTag(kUTTagClassFilenameExtension, ext, nil)?.takeRetainedValue()
        #expect(found == kUTTypeJPEG)
        let mime = UTTypeCreatePreferredIdentifierForTag(kUTTagClassMIMEType, "image/gif" as CFString, kUTTypeImage)
        #expect(mime?.takeRetainedValue() as String? == "com.compuserve.gif")
        #expect(UTTypeCreatePreferredIdentifierForTag(kUTTagClassMIMEType, "image/gif", kUTTypeMovie) == nil)
        #expect(UTTypeCreatePreferredIdentifierForTag(kUTTagClassFilenameExtension, "nothing", nil) == nil)
        let type = try #require(found)
        #expect(UTTypeCopyPreferredTagWithClass(type, kUTTagClassMIMEType)?.takeRetainedValue() == "image/jpeg")
        #expect(UTTypeCopyPreferredTagWithClass(type, kUTTagClassFilenameExtension)?.takeUnretainedValue() == "jpeg")
        #expect(UTTypeCopyPreferredTagWithClass(kUTTypeImage, kUTTagClassMIMEType) == nil)
        #expect(UTTypeConformsTo(type, kUTTypeImage) && !UTTypeConformsTo(type, kUTTypeMovie))
        #expect(UTTypeConformsTo("dyn.a", "dyn.a") && !UTTypeConformsTo("dyn.a", kUTTypeItem))
    }

    @Test("Old and new names mean the same types, and attachments take them")
    func types() throws {
        let pairs: [(String, UTType)] = [
            (kUTTypePNG, .png), (kUTTypeJPEG, .jpeg), (kUTTypeGIF, .gif), (kUTTypeTIFF, .tiff),
            (kUTTypeMPEG4, .mpeg4Movie),
            (kUTTypeMP3, .mp3), (kUTTypeImage, .image), (kUTTypeMovie, .movie),
            (kUTTypeQuickTimeMovie, .quickTimeMovie),
            (kUTTypeWaveformAudio, .wav), (kUTTypeAudioInterchangeFileFormat, .aiff), (kUTTypePDF, .pdf),
        ]
        for (old, new) in pairs { #expect(old == new.identifier) }
        let others = [
            kUTTypeItem, kUTTypeData, kUTTypeContent, kUTTypeText, kUTTypePlainText, kUTTypeURL, kUTTypeJSON,
            kUTTypeBMP,
            kUTTypeAudiovisualContent, kUTTypeVideo, kUTTypeAudio, kUTTypeMPEG, kUTTypeMPEG2Video, kUTTypeAVIMovie,
            kUTTypeMPEG4Audio,
        ]
        for old in others { #expect(UTType(old)?.identifier == old) }
        // Those three are older than the new names.
        #expect([kUTTypeJPEG2000, kUTTypePICT, kUTTypeQuickTimeImage].allSatisfy { UTType($0) == nil })
        for name in ["png", "jpg", "gif", "mp4", "mpg", "avi", "mp3", "m4a", "wav", "aif", "m2v"] {
            let type = try #require(UTType(filenameExtension: name))
            #expect(type.identifier == AttachmentType.identifier(pathExtension: name))
        }
    }

    @Test("A type knows what it is a kind of, its extension and its MIME type")
    func kinds() throws {
        #expect(UTType.png.conforms(to: .image))
        #expect(UTType.png.conforms(to: .data))
        #expect(!UTType.png.conforms(to: .movie))
        #expect(UTType.mpeg4Movie.isSubtype(of: .audiovisualContent))
        #expect(!UTType.movie.isSubtype(of: .movie))
        #expect(UTType.audio.isSupertype(of: .mp3))
        #expect(UTType.jpeg.preferredFilenameExtension == "jpeg")
        #expect(UTType(mimeType: "IMAGE/PNG") == .png)
        #expect(UTType("com.example.unknown") == nil)
        #expect(UTType(filenameExtension: "unknown") == nil)
    }
}

import UIKit
import UserNotifications

#if canImport(AVFoundation)
import AVFoundation
#endif

/// The file of an offer. On an iPhone it is drawn and played; on Linux there is neither a screen nor a speaker.
@MainActor
final class OfferMedia {
    private static let pictures: Set = ["public.png", "public.jpeg", "com.compuserve.gif"]

    /// The file; the previous one is replaced.
    var attachment: UNNotificationAttachment? {
        didSet {
            isPlaying = false
            #if canImport(AVFoundation)
            // The file is in the system's store, outside the extension's own folders.
            oldValue?.url.stopAccessingSecurityScopedResource()
            player = nil
            if let attachment, attachment.url.startAccessingSecurityScopedResource(), isPlayable {
                player = AVPlayer(url: attachment.url)
            }
            #endif
        }
    }

    /// Whether the sound or video plays.
    var isPlaying = false {
        didSet {
            #if canImport(AVFoundation)
            isPlaying ? player?.play() : player?.pause()
            #endif
        }
    }

    /// Whether the file is a sound or a video.
    var isPlayable: Bool { attachment.map { !Self.pictures.contains($0.type) } ?? false }

    /// The height of the view as a multiple of its width: low without a file.
    var heightRatio: Double { attachment == nil ? 0.25 : 0.5625 }

    #if canImport(AVFoundation)
    private var player: AVPlayer?

    /// Draws the file in the view, as large as the view is wide.
    func draw(in view: UIView) {
        for old in view.layer.sublayers ?? [] { old.removeFromSuperlayer() }
        guard let attachment else { return }
        let layer = player.map(AVPlayerLayer.init(player:)) ?? CALayer()
        if !isPlayable {
            layer.contents = UIImage(contentsOfFile: attachment.url.path)?.cgImage
            layer.contentsGravity = .resizeAspect
        }
        layer.frame = CGRect(x: 0, y: 0, width: view.bounds.width, height: view.bounds.width * heightRatio)
        view.layer.addSublayer(layer)
    }
    #endif
}

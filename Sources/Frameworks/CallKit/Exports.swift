// `AVAudioSession`, which is in AVFAudio on Apple's systems.
@_exported public import CallAudio
// Apple's module re-exports Foundation; sources rely on it.
@_exported public import Foundation

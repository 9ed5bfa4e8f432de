import Foundation

/// A small picture to attach to a reminder: a PNG of 32 by 32 pixels.
public enum SamplePicture {
    private static let base64 = """
        iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAYUlEQVR42mP49eEOTRHDqAVUseBZlA1WRAULcBlNvDUMlBhNjDUM
        VDEdjx0M1DIdlx10t4AS07HaQV8LKDcd045RC0YtGGoWDP2cPCxKU3pUOPSoMulR6dOp2TLadKSDBQC6VL0xLmUlogAAAABJRU5E
        rkJggg==
        """

    /// Writes the picture to a new file, because the system moves the file of each attachment away.
    public static func file(in folder: URL) throws -> URL {
        let file = folder.appendingPathComponent("\(UUID().uuidString).png")
        let picture = Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data()
        try picture.write(to: file)
        return file
    }
}

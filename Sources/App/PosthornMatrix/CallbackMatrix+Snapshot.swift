public import Foundation
import PosthornPhone

extension CallbackMatrix.Table {
    /// Compares the table with one that is kept beside the test, and fails the test with the lines that differ.
    ///
    /// The file is `Snapshots/NAME.txt` in the folder of the test's source, and has the ``text``. If it does not exist, or the variable
    /// `POSTHORN_RECORD` of the environment is `1`, it is written: the first time the test fails and says so.
    ///
    /// - Parameters:
    ///   - name: the name of the snapshot, different for each one in the folder.
    ///   - folder: the folder of the snapshots; nil for `Snapshots` beside the test's source.
    ///   - fileID: the module and the file of the test.
    ///   - filePath: the path of the file.
    ///   - line: the line at which a failure is shown.
    ///   - column: the column.
    /// - Returns: whether the table is as in the snapshot.
    @discardableResult
    public func expectSnapshot(
        named name: String,
        in folder: URL? = nil,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> Bool {
        let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        let kept = KeptText(name: name, ending: "txt", folder: folder, location: location) { reason in
            TestIssues.record(reason, at: location)
        }
        return kept.expect(text, of: "The callback matrix") { difference(from: $0) }
    }
}

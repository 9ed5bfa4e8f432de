/// The processes that the device has started.
struct Processes: Sendable {
    private var last = 0
    /// Running extensions: process and app.
    private var extensions: [Int: String] = [:]
    /// Processes of the operating system, which can be suspended and may end by themselves.
    var separate: Set<Int> = []

    /// Returns the number of a new process; one of an extension belongs to an app.
    mutating func next(extensionOf bundleID: String? = nil) -> Int {
        last += 1
        extensions[last] = bundleID
        return last
    }

    /// Returns the app of an extension's process.
    func owner(ofExtension process: Int) -> String? { extensions[process] }

    /// Returns the processes of an app's extensions, the oldest first.
    func extensions(of bundleID: String) -> [Int] { extensions.filter { $0.value == bundleID }.keys.sorted() }

    mutating func endExtension(_ process: Int) { extensions[process] = nil }

    mutating func ended(_ process: Int) {
        extensions[process] = nil
        separate.remove(process)
    }
}

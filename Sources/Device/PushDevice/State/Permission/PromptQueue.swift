import SystemPort

/// The permission prompts, and the calls that wait for their answers.
struct PromptQueue: Sendable {
    /// The prompt on the screen.
    private(set) var front: PermissionPrompt?
    private var waiting: [PermissionPrompt] = []
    /// The completions of calls, by app.
    private var calls: [String: [SystemReplyHandler]] = [:]

    /// Queues a prompt. Returns whether it is in front; false for a duplicate, too, which is ignored.
    mutating func add(_ prompt: PermissionPrompt) -> Bool {
        if front?.asksAsMuch(as: prompt) == true || waiting.contains(where: prompt.asksAsMuch) { return false }
        guard front == nil else {
            waiting.append(prompt)
            return false
        }
        front = prompt
        return true
    }

    /// Removes the prompt in front. Returns the next one, which takes its place.
    mutating func next() -> PermissionPrompt? {
        front = waiting.isEmpty ? nil : waiting.removeFirst()
        return front
    }

    /// Forgets the calls and the waiting prompts of an app that is removed. Returns whether the prompt in front is the app's.
    mutating func forget(_ bundleID: String) -> Bool {
        waiting.removeAll { $0.bundleID == bundleID }
        calls[bundleID] = nil
        return front?.bundleID == bundleID
    }

    /// Adds a call that waits for the answer to a prompt of its app.
    mutating func wait(_ completion: @escaping SystemReplyHandler, of bundleID: String) {
        calls[bundleID, default: []].append(completion)
    }

    mutating func takeCalls(of bundleID: String) -> [SystemReplyHandler] {
        calls.removeValue(forKey: bundleID) ?? []
    }

    /// Removes everything. Returns the calls that waited.
    mutating func removeAll() -> [SystemReplyHandler] {
        defer { self = PromptQueue() }
        return calls.values.flatMap(\.self)
    }
}

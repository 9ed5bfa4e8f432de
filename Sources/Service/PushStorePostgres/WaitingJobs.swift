/// Jobs that wait for a transaction which they share, in the order in which they came.
///
/// One task at a time writes: it takes jobs with ``next(_:)`` until none waits, and ``add(_:)`` says when to start the next one.
struct WaitingJobs<Job> {
    private var jobs: [Job] = []
    private var isWriting = false

    var count: Int { jobs.count }

    /// - Returns: whether nobody writes, so that the caller has to.
    mutating func add(_ job: Job) -> Bool {
        jobs.append(job)
        defer { isWriting = true }
        return !isWriting
    }

    /// Returns up to `limit` jobs; nil if none waits, which ends the writing.
    mutating func next(_ limit: Int) -> [Job]? {
        guard !jobs.isEmpty else {
            isWriting = false
            return nil
        }
        let next = Array(jobs.prefix(limit))
        jobs.removeFirst(next.count)
        return next
    }
}

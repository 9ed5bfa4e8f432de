import Foundation

/// The signals by which a person, or the system, ends a command.
enum EndingSignal {
    private static let all = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// Calls a handler before one of the signals ends the process.
    ///
    /// The handler may call only functions that POSIX permits in one (`signal-safety(7)`), so it needs no other thread. It ends with
    /// `raise`: by then the action is the default one, and the process ends as the signal would have ended it.
    ///
    /// - Returns: the signals with their former actions, without those that the caller ignores, as `nohup` does: they stay ignored.
    @discardableResult
    static func handle(with handler: @escaping @convention(c) (Int32) -> Void) -> [(Int32, sigaction)] {
        all.compactMap { number in
            var former = sigaction()
            guard unsafe sigaction(number, nil, &former) == 0 else { return nil }
            let known = unsafe unsafeBitCast(former.__sigaction_handler.sa_handler, to: Int.self)
            let ignoring = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
            if known == ignoring { return nil }
            var action = sigaction()
            unsafe action.__sigaction_handler.sa_handler = handler
            action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
            guard unsafe sigaction(number, &action, nil) == 0 else { return nil }
            return (number, former)
        }
    }
}

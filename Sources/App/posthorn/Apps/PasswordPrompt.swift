import Dispatch
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Asks for a password at the terminal, without showing it.
enum PasswordPrompt {
    /// The signals by which a person, or the system, ends a command that waits for input.
    private static let endings = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// - Returns: the password; nil if standard input is not a terminal.
    static func ask(_ question: String) -> String? {
        var settings = termios()
        guard isatty(STDIN_FILENO) == 1, unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        let usual = settings
        // A signal that the caller ignores, as nohup does, stays ignored.
        let sources = endings.filter { !isIgnored($0) }.map { (number: $0, source: restore(on: $0, usual)) }
        settings.c_lflag &= ~tcflag_t(ECHO)
        apply(settings)
        defer {
            apply(usual)
            for (number, source) in sources {
                source.cancel()
                signal(number, SIG_DFL)
            }
            printNote("")
        }
        printBar(question)
        return readLine()
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        let ignoring = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
        return handler == ignoring
    }

    /// Restores the terminal's settings before a signal ends the process: the shell would keep hiding what is typed.
    private static func restore(on number: Int32, _ usual: termios) -> any DispatchSourceSignal {
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler {
            apply(usual)
            end(by: number)
        }
        // Until it is registered, the signal would end the process at once.
        let isRegistered = DispatchSemaphore(value: 0)
        source.setRegistrationHandler { isRegistered.signal() }
        source.activate()
        isRegistered.wait()
        return source
    }

    /// Ends the process as the signal would have, so that the caller sees it in the status.
    private static func end(by number: Int32) {
        signal(number, SIG_DFL)
        // Dispatch blocks its signals in every thread.
        var signals = sigset_t()
        _ = unsafe sigemptyset(&signals)
        _ = unsafe sigaddset(&signals, number)
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
    }

    private static func apply(_ settings: termios) {
        var settings = settings
        _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
    }
}

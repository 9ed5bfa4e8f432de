import ArgumentParser
import PushService

/// A command that performs one operation, and says what came of it; with --json, it prints the answer instead.
protocol OperatorCommand: AsyncParsableCommand {
    associatedtype Answer: Decodable

    /// Whether a data folder that is not there is made.
    static var createsFolder: Bool { get }

    var options: OperatorOptions { get }
    var request: OperatorRequest { get async throws }

    func tell(_ answer: Answer) async throws
}

extension OperatorCommand {
    static var createsFolder: Bool { false }

    func run() async throws {
        guard let answer: Answer = try await options.answer(request, creates: Self.createsFolder) else { return }
        try await tell(answer)
    }
}

import ArgumentParser
import PosthornStack
import PushModel
import PushService

extension AppCommand {
    struct Delete: OperatorCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Deletes an app with its devices, pushes and schedules, and prints what has gone.",
            discussion: """
                posthorn app delete APP-KEY --name NAME

                Its callers are refused from then on, and the links of its devices end. Pushes that are still being sent, schedules and \
                callbacks that wait go too. Its key and the ids of its devices are never used again. This cannot be undone.
                """
        )

        @Argument(help: "The app's key.") var key: String
        @OptionGroup var deletion: DeletionOptions
        @OptionGroup var options: OperatorOptions

        var request: OperatorRequest {
            get async throws {
                let name = try await deletion.confirmedName(try await consequences())
                return .appDelete(app: key, name: name)
            }
        }

        func tell(_ gone: AppAndContents) {
            printLine("\(gone.first.name.printed) is deleted, with \(gone.second.words).")
        }

        private func consequences() async throws -> String {
            let app: AppAndContents = try OperatorClient.read(try await options.perform(.appContents(app: key)))
            return "\(app.first.name.printed) goes with \(app.second.words). This cannot be undone."
        }
    }
}

extension AppContents {
    /// The numbers in words: `3 devices, 12 pushes (2 waiting) and 1 schedule`.
    var words: String {
        func any(_ count: Int, _ noun: String) -> String? { count == 0 ? nil : counted(count, noun) }
        let all = [
            any(devices, "device"),
            any(pushes, "push").map { waiting == 0 ? $0 : "\($0) (\(waiting) waiting)" },
            any(schedules, "schedule"), any(templates, "template"), any(segments, "segment"),
            any(callbacks, "waiting callback"), any(credentials, "credential"),
            groups == 0 ? nil : "its place in \(counted(groups, "group"))",
        ].compactMap(\.self)
        guard let last = all.last else { return "nothing else" }
        return all.count == 1 ? last : all.dropLast().joined(separator: ", ") + " and " + last
    }
}

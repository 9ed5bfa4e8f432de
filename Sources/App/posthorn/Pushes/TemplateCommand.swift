import ArgumentParser
import PosthornStack
import PushModel

struct TemplateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "template",
        abstract: "Manages the push templates of a running service, and sends pushes that are made from them.",
        discussion: """
            posthorn template create --name parcel push.json
            posthorn template push 0c65b34b9651 params.json

            The push of a template has no audience. Its texts may have variables, such as {{name}}. The file for 'push' is an array \
            of {"audience":…,"keys":{"name":"Ann"}}, with 'options' and 'trace_id' if they are needed.
            """,
        subcommands: [List.self, Show.self, Create.self, Change.self, Delete.self, Push.self]
    )

    private static let path = "/posthorn/v1/templates"

    /// Returns the description of a template, from a file with its push.
    private static func body(_ name: String, _ file: String) throws -> [UInt8] {
        JSONValue.object(["name": .string(name), "push": try json(file)]).bytes
    }

    private static func json(_ file: String) throws -> JSONValue {
        try PushContent.json(try readBytes(of: file), of: file)
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the templates.")

        @Flag(help: "Print the service's response unchanged.")
        var json = false

        @OptionGroup var server: ServerOptions

        func run() async throws {
            let answer = try await server.client().get(path).members
            guard !json else { return printLine(JSONValue.object(answer).text) }
            for template in answer.objects("templates") {
                let variables = template.strings("variables").joined(separator: ", ").printed
                printLine(
                    "\(template.text("id"))  \(template.text("name"))\(variables.isEmpty ? "" : "  (\(variables))")"
                )
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows one template as JSON.")

        @Argument(help: "The template's id.")
        var id: String

        @OptionGroup var server: ServerOptions

        func run() async throws {
            let answer = try await server.client().get("\(path)/\(APIClient.encoded(id))").members
            printLine(JSONValue.object(answer).text)
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Creates a template and prints its id.")

        @Option(help: "The template's name.")
        var name: String

        @Argument(help: "Path of a file with a push object without audience; '-' reads standard input.")
        var file: String

        @OptionGroup var server: ServerOptions

        func run() async throws {
            printLine(try await server.client().post(path, try body(name, file)).members.text("id"))
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Replaces a template; its id stays.")

        @Argument(help: "The template's id.")
        var id: String

        @Option(help: "The template's name.")
        var name: String

        @Argument(help: "Path of a file with a push object without audience; '-' reads standard input.")
        var file: String

        @OptionGroup var server: ServerOptions

        func run() async throws {
            let path = "\(path)/\(APIClient.encoded(id))"
            printLine(
                "Template \(try await server.client().put(path, try body(name, file)).members.text("id")) is changed."
            )
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Deletes a template; schedules made from it stay.")

        @Argument(help: "The template's id.")
        var id: String

        @OptionGroup var server: ServerOptions

        func run() async throws {
            _ = try await server.client().delete("\(path)/\(APIClient.encoded(id))").members
            printLine("Template \(id.printed) is deleted.")
        }
    }

    struct Push: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sends pushes that are made from a template; exits with 1 if any of them was refused."
        )

        @Argument(help: "The template's id.")
        var id: String

        @Argument(help: "Path of a file with an array of audiences and values; '-' reads standard input.")
        var file: String

        @Flag(help: "Print the service's response unchanged.")
        var json = false

        @OptionGroup var server: ServerOptions

        func run() async throws {
            let body = JSONValue.object(["id": .string(id), "params": try TemplateCommand.json(file)])
            let answer = try await server.client().post("/v3/push/template", body.bytes).members
            let results = answer["data"]?.object?.objects("push_list") ?? []
            if json { printLine(JSONValue.object(answer).text) }
            for result in json ? [] : results {
                let trace = result["trace_id"]?.string.map { "  \($0.printed)" } ?? ""
                let isAccepted = result["code"] == 0
                printLine(
                    isAccepted
                        ? "Accepted: msg_id \(result.text("message_id"))\(trace)"
                        : "Refused: \(result["code"]?.text ?? "") \(result.text("message"))\(trace)"
                )
            }
            printWarnings(in: answer)
            guard results.allSatisfy({ $0["code"] == 0 }) else { throw ExitCode(1) }
        }
    }
}

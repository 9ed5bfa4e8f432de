import ArgumentParser
import PosthornStack
import PushModel

struct TemplateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "template",
        abstract: "Manages the push templates of a running service, and sends pushes made from them.",
        discussion: """
            posthorn template create --name parcel push.json
            posthorn template push 0c65b34b9651 params.json

            The push in a template has no audience. Its texts may contain variables, such as {{name}}. The file for 'push' is an array \
            of {"audience":…,"keys":{"name":"Ann"}}, with 'options' and 'trace_id' if they are needed.
            """,
        subcommands: [List.self, Show.self, Create.self, Change.self, Delete.self, Push.self]
    )

    private static let path = "/posthorn/v1/templates"

    private static func json(_ file: String) throws -> JSONValue { try PushContent.json(try readBytes(file), of: file) }

    /// One template of a service.
    struct Options: ParsableArguments {
        @Argument(help: "The template's id.") var id: String
        @OptionGroup var response: ResponseOptions

        var url: String { "\(path)/\(APIClient.encoded(id))" }
    }

    /// The content of a template.
    struct Content: ParsableArguments {
        @Option(help: "The template's name.") var name: String

        @Argument(help: "Path of a file with a push object without audience; '-' reads standard input.")
        var file: String

        var members: JSONMembers { get throws { ["name": name, "push": try json(file)] } }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists the templates.")

        private struct Answer: Decodable {
            struct Template: Decodable {
                let id, name: String
                let variables: [String]
            }

            let templates: [Template]
        }

        @OptionGroup var options: ResponseOptions

        func run() async throws {
            guard let list: Answer = try options.read(try await options.client.get(path)) else { return }
            for template in list.templates {
                let variables = template.variables.joined(separator: ", ").printed
                printLine("\(template.id)  \(template.name.printed)\(variables.isEmpty ? "" : "  (\(variables))")")
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows one template as JSON.")

        @OptionGroup var template: Options

        func run() async throws { try await template.response.server.show(template.url) }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Creates a template and prints its id."
        )

        @OptionGroup var content: Content
        @OptionGroup var response: ResponseOptions

        private struct Answer: Decodable { let id: String }

        func run() async throws {
            let answer = try await response.client.post(path, try content.members)
            guard let new: Answer = try response.read(answer) else { return }
            printLine(new.id)
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "change",
            abstract: "Replaces a template; its id stays."
        )

        @OptionGroup var template: Options
        @OptionGroup var content: Content

        func run() async throws {
            let answer = try await template.response.client.put(template.url, try content.members)
            try template.response.report(answer, "Template \(template.id.printed) is changed.")
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Deletes a template; schedules made from it stay."
        )

        @OptionGroup var template: Options

        func run() async throws {
            let answer = try await template.response.client.delete(template.url)
            try template.response.report(answer, "Template \(template.id.printed) is deleted.")
        }
    }

    struct Push: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "push",
            abstract: "Sends pushes that are made from a template; exits with 1 if any of them was refused."
        )

        private struct Answer: Decodable {
            struct Results: Decodable { let pushList: [Result] }

            struct Result: Decodable {
                let code: Int
                let message: String
                let messageID, traceID: String?

                var line: String {
                    (messageID.map { "Accepted: msg_id \($0)" } ?? "Refused: \(code) \(message.printed)")
                        + (traceID.map { "  \($0.printed)" } ?? "")
                }
            }

            let data: Results
            let warnings: [PushWarning]?
        }

        @OptionGroup var template: Options

        @Argument(help: "Path of a file with an array of audiences and values; '-' reads standard input.")
        var file: String

        func run() async throws {
            let body: JSONMembers = ["id": template.id, "params": try TemplateCommand.json(file)]
            let response = try await template.response.client.post("/v3/push/template", body)
            let answer: Answer = try response.read()
            let isJSON = template.response.json
            if isJSON { printLine(response.json.text) }
            for result in isJSON ? [] : answer.data.pushList { printLine(result.line) }
            printWarnings(answer.warnings)
            guard answer.data.pushList.allSatisfy({ $0.code == 0 }) else { throw ExitCode(1) }
        }
    }
}

struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Manages the push plans of a running service: labels for pushes whose results are counted together.",
        discussion: """
            posthorn plan create spring --description 'Sale of 2027'
            posthorn plan show spring

            A push names its plan in options.business_operation_code.
            """,
        subcommands: [List.self, Show.self, Create.self, Change.self, Delete.self]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists the push plans.")

        private struct Answer: Decodable {
            struct Page: Decodable { let detail: [Plan] }

            struct Plan: Decodable {
                let name, description: String
                let pushCount: Int
            }

            let data: Page
        }

        @OptionGroup var options: ResponseOptions

        func run() async throws {
            let path = "/v3/push_plan/list?page_size=\(JPushLimits.plansPerPage.most)"
            guard let list: Answer = try options.read(try await options.client.get(path)) else { return }
            for plan in list.data.detail {
                printLine("\(plan.name.printed)  \(plan.pushCount)  \(plan.description.printed)")
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Shows a push plan as JSON, with its latest pushes and the sum of their counts."
        )

        @Argument(help: "The plan's name.") var name: String
        @OptionGroup var response: ResponseOptions

        func run() async throws { try await response.server.show("/posthorn/v1/plans/\(APIClient.encoded(name))") }
    }

    /// A plan's name and description.
    struct Description: ParsableArguments {
        @Argument(help: "The plan's name.") var name: String
        @Option(help: "What the plan is for.") var description = ""

        var members: JSONMembers { ["name": name, "description": description] }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "create", abstract: "Creates a push plan.")

        @OptionGroup var plan: Description
        @OptionGroup var response: ResponseOptions

        func run() async throws {
            let answer = try await response.client.post("/v3/push_plan/create", plan.members)
            try response.report(answer, "Push plan \(plan.name.printed) is created.")
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "change",
            abstract: "Replaces the description of a push plan."
        )

        @OptionGroup var plan: Description
        @OptionGroup var response: ResponseOptions

        func run() async throws {
            let answer = try await response.client.put("/v3/push_plan/update", plan.members)
            try response.report(answer, "Push plan \(plan.name.printed) is changed.")
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Deletes a push plan; its pushes stay."
        )

        @Argument(help: "The plan's name.") var name: String
        @OptionGroup var response: ResponseOptions

        func run() async throws {
            let answer = try await response.client.delete("/posthorn/v1/plans/\(APIClient.encoded(name))")
            try response.report(answer, "Push plan \(name.printed) is deleted.")
        }
    }
}

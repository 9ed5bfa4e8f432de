import ArgumentParser
import PosthornStack
import PushModel

struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Manages the push plans of a running service: labels for pushes whose results are counted together.",
        discussion: """
            posthorn plan create spring --description 'Sale of 2027'
            posthorn plan show spring

            A push names its plan in options.business_operation_code.
            """,
        subcommands: [List.self, Show.self, Create.self, Change.self]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the push plans.")

        @Flag(help: "Print the service's response unchanged.")
        var json = false

        @OptionGroup var server: ServerOptions

        func run() async throws {
            let answer = try await server.client().get("/v3/push_plan/list?page_size=\(JPushLimits.plansPerPage.most)")
            guard !json else { return printLine(JSONValue.object(try answer.members).text) }
            for plan in try answer.members["data"]?.object?.objects("detail") ?? [] {
                let count = plan["push_count"]?.integer ?? 0
                printLine("\(plan.text("name"))  \(count)  \(plan.text("description"))")
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows a push plan as JSON, with its latest pushes and the sum of their counts."
        )

        @Argument(help: "The plan's name.")
        var name: String

        @OptionGroup var server: ServerOptions

        func run() async throws {
            let answer = try await server.client().get("/posthorn/v1/plans/\(APIClient.encoded(name))").members
            printLine(JSONValue.object(answer).text)
        }
    }

    /// A plan's name and description.
    struct Description: ParsableArguments {
        @Argument(help: "The plan's name.")
        var name: String

        @Option(help: "What the plan is for.")
        var description = ""

        var body: [UInt8] {
            JSONValue.object(["name": .string(name), "description": .string(description)]).bytes
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Creates a push plan.")

        @OptionGroup var plan: Description
        @OptionGroup var server: ServerOptions

        func run() async throws {
            _ = try await server.client().post("/v3/push_plan/create", plan.body).members
            printLine("Push plan \(plan.name.printed) is created.")
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Replaces the description of a push plan.")

        @OptionGroup var plan: Description
        @OptionGroup var server: ServerOptions

        func run() async throws {
            _ = try await server.client().put("/v3/push_plan/update", plan.body).members
            printLine("Push plan \(plan.name.printed) is changed.")
        }
    }
}

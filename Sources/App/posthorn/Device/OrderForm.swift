import ArgumentParser
import PosthornStack

/// The words of a command that sends an order to a running device.
struct OrderForm<Argument>: Sendable {
    /// The words and the abstract of the command.
    let title: OrderTitle
    /// The name of the argument in the help.
    var argument = ""
    var help = ""
    let order: @Sendable (Argument) throws -> DeviceOrder

    var words: String { title.words }

    var configuration: CommandConfiguration {
        CommandConfiguration(commandName: words.split(separator: " ").last.map(String.init), abstract: title.abstract)
    }

    fileprivate var argumentHelp: ArgumentHelp { ArgumentHelp("\(help)", valueName: argument) }
}

extension OrderForm<Void> {
    init(_ words: String, _ abstract: String, order: @escaping @Sendable () -> DeviceOrder) {
        self.init(title: OrderTitle(words, abstract), order: order)
    }
}

/// The words after `posthorn device`, of which the last one is the command's name, and the command's abstract.
struct OrderTitle: Sendable {
    let words, abstract: String

    init(_ words: String, _ abstract: String) {
        self.words = words
        self.abstract = abstract
    }

    /// Returns the form of an order with an argument, whose name and description are in the help.
    func taking<Argument>(
        _ argument: String,
        _ help: String,
        order: @escaping @Sendable (Argument) throws -> DeviceOrder
    ) -> OrderForm<Argument> {
        OrderForm(title: self, argument: argument, help: help, order: order)
    }
}

/// A row of the tables of orders.
protocol OrderWords {
    associatedtype Argument
    static var form: OrderForm<Argument> { get }
}

/// The command of an order without an argument.
struct NoArgument<Words: OrderWords>: AsyncParsableCommand where Words.Argument == Void {
    static var configuration: CommandConfiguration { Words.form.configuration }
    @OptionGroup var name: DeviceName
    func run() async throws { try await name.send(Words.form.order(()), as: Words.form.words) }
}

/// The command of an order with one argument.
struct OneArgument<Words: OrderWords>: AsyncParsableCommand where Words.Argument == String {
    static var configuration: CommandConfiguration { Words.form.configuration }
    @Argument(help: Words.form.argumentHelp) var argument: String
    @OptionGroup var name: DeviceName
    func run() async throws { try await name.send(Words.form.order(argument), as: Words.form.words, argument) }
}

/// The command of an order about something on the screen, which its id names.
struct OptionalID<Words: OrderWords>: AsyncParsableCommand where Words.Argument == String? {
    static var configuration: CommandConfiguration { Words.form.configuration }
    @Argument(help: Words.form.argumentHelp) var id: String?
    @OptionGroup var name: DeviceName
    func run() async throws { try await name.send(Words.form.order(id), as: Words.form.words, id) }
}

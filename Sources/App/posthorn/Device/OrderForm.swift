import ArgumentParser
import PosthornStack

/// The form of a command that sends an order to a running device.
struct OrderForm<Argument>: Sendable {
    /// The words after `posthorn device`, of which the last one is the command's name.
    let words: String
    let abstract: String
    /// The name of the argument in the help.
    let argument: String
    let help: String
    let order: @Sendable (Argument) throws -> DeviceOrder

    /// Creates the form of an order with an argument.
    init(
        _ words: String,
        _ abstract: String,
        argument: String,
        help: String,
        order: @escaping @Sendable (Argument) throws -> DeviceOrder
    ) {
        self.words = words
        self.abstract = abstract
        self.argument = argument
        self.help = help
        self.order = order
    }

    var configuration: CommandConfiguration {
        CommandConfiguration(commandName: words.split(separator: " ").last.map(String.init), abstract: abstract)
    }

    fileprivate var argumentHelp: ArgumentHelp { ArgumentHelp("\(help)", valueName: argument) }
}

extension OrderForm<Void> {
    /// Creates the form of an order without an argument.
    init(_ words: String, _ abstract: String, order: @escaping @Sendable () -> DeviceOrder) {
        self.init(words, abstract, argument: "", help: "", order: order)
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

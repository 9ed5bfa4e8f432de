import ArgumentParser
import PushModel

/// The form of a benchmark's results: a line `RESULT NAME KEY=VALUE …` each, or a line of JSON.
struct BenchOutput: ParsableArguments {
    @Flag(help: "Print a line of JSON per result.")
    var json = false

    /// Prints a result. The name is that of the measurement; nil if the command makes only one.
    func tell(_ name: String? = nil, figures: [(String, JSONValue)]) {
        guard !json else {
            let named = name.map { [("name", JSONValue.string($0))] } ?? []
            return printLine(JSONValue.object(JSONObject(named + figures)).text)
        }
        printLine(
            (["RESULT", name].compactMap(\.self) + figures.map { "\($0)=\($1.string ?? $1.text)" }).joined(
                separator: " "
            )
        )
    }
}

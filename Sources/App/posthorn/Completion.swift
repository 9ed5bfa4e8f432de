import ArgumentParser

struct Completion: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints a script with which a shell completes commands and options.",
        discussion: """
            posthorn completion bash > /etc/bash_completion.d/posthorn
            posthorn completion zsh > "${fpath[1]}/_posthorn"
            posthorn completion fish > ~/.config/fish/completions/posthorn.fish
            """
    )

    enum Shell: String, CaseIterable, ExpressibleByArgument {
        case bash, zsh, fish
    }

    @Argument(help: "The shell: bash, zsh or fish.")
    var shell: Shell

    func run() {
        let kind: CompletionShell =
            switch shell {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        printLine(Posthorn.completionScript(for: kind))
    }
}

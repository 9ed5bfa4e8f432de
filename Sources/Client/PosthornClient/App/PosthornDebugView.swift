#if canImport(Darwin)

import SwiftUI

/// A panel for the app's developers and testers: who the device is at the service, what waits, and why it gets nothing.
@available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
public struct PosthornDebugView: View {
    private let client: PosthornClient
    @State private var facts: [ClientFact] = []
    @State private var diagnosis: String?

    /// Creates a panel of a client.
    public init(_ client: PosthornClient) { self.client = client }

    public var body: some View {
        List {
            ForEach(facts) { fact in
                VStack(alignment: .leading) {
                    Text(fact.name).font(.caption)
                    Text(fact.value)
                }
            }
            Button("Why do I get nothing?") { diagnose() }
            if let diagnosis { Text(diagnosis) }
        }
        .onAppear { facts = client.facts }
    }

    private func diagnose() {
        Task { @MainActor in
            do {
                let found = try await client.diagnose()
                diagnosis = ([found.sentence, "(\(found.cause))"] + found.notes).joined(separator: "\n")
            } catch {
                diagnosis = error.localizedDescription
            }
            facts = client.facts
        }
    }
}

#endif

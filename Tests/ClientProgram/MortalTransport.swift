import Foundation
import PosthornClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transport at which a process may die before a request is sent, and before its answer arrives.
struct MortalTransport: ServiceTransport {
    let base: URLSessionTransport
    let deaths: Deaths

    func send(
        _ request: URLRequest,
        completion: @escaping @Sendable (Result<ServiceAnswer, any Error>) -> Void
    ) {
        let name = "\(request.httpMethod ?? "") \(request.url?.lastPathComponent ?? "")"
        deaths.step(name)
        base.send(request) { result in
            deaths.step("the answer to \(name)")
            completion(result)
        }
    }
}

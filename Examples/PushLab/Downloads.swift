import Foundation
import UIKit

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// On an iPhone the files of Network are the app's own.
#if canImport(PushLabNetwork)
import PushLabNetwork
#endif

/// Fetches what silent pushes name, and keeps it: `{"aps": {"content-available": 1}, "download": "https://…"}`.
///
/// Each download runs in a background task, for the system suspends an app that has nothing left to do. When the time in
/// the background is over it fails, rather than leave the system without an answer.
@MainActor
public final class Downloads {
    /// In the payload.
    public static let key = "download"
    /// A little less than the time that the system gives, in seconds.
    static let timeout: TimeInterval = 25
    /// The largest file that is kept, in bytes.
    public static let limit = 20_971_520

    private struct Job {
        var url: URL
        var background: UIBackgroundTaskIdentifier
        var completion: (UIBackgroundFetchResult) -> Void
        var task: Task<Void, Never>?
    }

    /// Why nothing came.
    private struct Problem: Error {
        var reason: String
    }

    private let settings: PushLabSettings
    private let log: CallbackLog
    private var jobs: [Int: Job] = [:]
    private var last = 0
    /// By which a server knows what it sent: it need not send the same again.
    private var tags: [URL: String] = [:]

    init(settings: PushLabSettings, log: CallbackLog) {
        self.settings = settings
        self.log = log
    }

    /// Starts what the payload asks for.
    ///
    /// - Parameters:
    ///   - userInfo: the payload.
    ///   - completion: called once: with new data when a file came that differs from the one that was there, without
    ///     when it is the same or the payload asks for nothing, else with the failure.
    func start(_ userInfo: [AnyHashable: Any], completion: @escaping (UIBackgroundFetchResult) -> Void) {
        guard let text = userInfo[Self.key] as? String else { return completion(.noData) }
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()) else {
            log.add("download", "no URL to download from: \(text)")
            return completion(.failed)
        }
        last += 1
        let number = last
        let background = UIApplication.shared.beginBackgroundTask(withName: "download \(number)") { [weak self] in
            self?.end(number, with: .failed, "out of time")
        }
        jobs[number] = Job(url: url, background: background, completion: completion)
        // Nobody awaits it: it ends with the answer, or is cancelled when the time is over.
        jobs[number]?.task = Task { [weak self] in await self?.run(number, url) }
    }

    /// Where the file of this URL lies, once it has come. No two URLs share one, however long they are.
    public func file(of url: URL) -> URL {
        let digest = SHA256.hash(data: Data(url.absoluteString.utf8))
        return settings.folder.appendingPathComponent(digest.map { String(format: "%02x", $0) }.joined())
    }

    private func run(_ number: Int, _ url: URL) async {
        do {
            let isNew = try await load(url)
            end(number, with: isNew ? .newData : .noData, isNew ? "new" : "as it was")
        } catch let problem as BoundedFetch.TooLarge {
            end(number, with: .failed, "is larger than \(problem.limit) bytes")
        } catch let problem as Problem {
            end(number, with: .failed, problem.reason)
        } catch {
            end(number, with: .failed, error.localizedDescription)
        }
    }

    /// - Returns: whether the file is another than before.
    private func load(_ url: URL) async throws -> Bool {
        let file = file(of: url)
        let known = try? Data(contentsOf: file)
        var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: Self.timeout)
        if known != nil, let tag = tags[url] { request.setValue(tag, forHTTPHeaderField: "If-None-Match") }
        let (data, response) = try await settings.fetch(request, Self.limit)
        try Task.checkCancellation()
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        if status == 304 { return false }
        guard status == 200 else { throw Problem(reason: "the server answers \(status)") }
        if data != known {
            try FileManager.default.createDirectory(at: settings.folder, withIntermediateDirectories: true)
            try data.write(to: file, options: .atomic)
        }
        // Only now: what could not be kept has to come again.
        tags[url] = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "ETag")
        return data != known
    }

    /// The first word counts.
    private func end(_ number: Int, with result: UIBackgroundFetchResult, _ words: String) {
        guard let job = jobs.removeValue(forKey: number) else { return }
        job.task?.cancel()
        log.add("download", "\(job.url.absoluteString) \(words)")
        job.completion(result)
        UIApplication.shared.endBackgroundTask(job.background)
    }
}

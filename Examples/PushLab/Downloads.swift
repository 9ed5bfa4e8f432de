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

/// Downloads the files named in silent pushes: `{"aps": {"content-available": 1}, "download": "https://…"}`.
///
/// Each download runs in a background task, because the system suspends an idle app. When the background time expires,
/// the download fails, so that the system always gets an answer.
@MainActor
public final class Downloads {
    /// The key in the payload.
    public static let key = "download"
    /// The timeout in seconds, slightly shorter than the system's.
    static let timeout: TimeInterval = 25
    /// The maximum size of a file, in bytes.
    public static let limit = 20_971_520

    private struct Job {
        var url: URL
        var background: UIBackgroundTaskIdentifier
        var completion: (UIBackgroundFetchResult) -> Void
        var task: Task<Void, Never>?
    }

    /// The reason a download failed.
    private struct Problem: Error {
        var reason: String
    }

    private let settings: PushLabSettings
    private let log: CallbackLog
    private var jobs: [Int: Job] = [:]
    private var last = 0
    /// The servers' entity tags, with which a server need not send an unchanged file again.
    private var tags: [URL: String] = [:]

    init(settings: PushLabSettings, log: CallbackLog) {
        self.settings = settings
        self.log = log
    }

    /// Starts the download that the payload requests.
    ///
    /// - Parameters:
    ///   - userInfo: the payload.
    ///   - completion: called once: with new data if the file differs from the previous one, with no data if it is
    ///     unchanged or the payload requests nothing, otherwise with the failure.
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
        // Not awaited: it ends with the answer, or is cancelled when its time expires.
        jobs[number]?.task = Task { [weak self] in await self?.run(number, url) }
    }

    /// Returns the location of this URL's downloaded file. No two URLs share one, however long they are.
    public func file(of url: URL) -> URL {
        let digest = SHA256.hash(data: Data(url.absoluteString.utf8))
        return settings.folder.appendingPathComponent(digest.map { String(format: "%02x", $0) }.joined())
    }

    private func run(_ number: Int, _ url: URL) async {
        do {
            let isNew = try await load(url)
            end(number, with: isNew ? .newData : .noData, isNew ? "new" : "as it was")
        } catch let problem as Problem {
            end(number, with: .failed, problem.reason)
        } catch {
            end(number, with: .failed, error.localizedDescription)
        }
    }

    /// - Returns: whether the file has changed.
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
        // Set only now: a file that could not be stored must be sent again.
        tags[url] = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "ETag")
        return data != known
    }

    /// Ends a download; only the first call counts.
    private func end(_ number: Int, with result: UIBackgroundFetchResult, _ words: String) {
        guard let job = jobs.removeValue(forKey: number) else { return }
        job.task?.cancel()
        log.add("download", "\(job.url.absoluteString) \(words)")
        job.completion(result)
        UIApplication.shared.endBackgroundTask(job.background)
    }
}

// An APNs for tests of code that sends pushes, in a container from the image of a release: a module for Testcontainers.
//
//     await using var posthorn = new PosthornContainer("posthorn:0.1.0");
//     await using var apns = await posthorn.ApnsAsync();
//
// A test sees only its own pushes, and its faults and the keys that it has made end with it. A container whose clock was turned, or whose
// own keys were revoked, is replaced before the next test.
// .NET 8 or later, with the package Testcontainers 4.
using System.Globalization;
using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using DotNet.Testcontainers.Builders;
using DotNet.Testcontainers.Containers;

namespace Posthorn;

/// <summary>A condition did not hold in time, or posthorn refused a request. The message says what happened instead.</summary>
public sealed class PosthornException(string message) : Exception(message);

/// <summary>A request that arrived, with its answer. <c>Status</c> is null if a fault ended it without one.</summary>
public sealed record Push(
    [property: JsonPropertyName("number")] long Number,
    [property: JsonPropertyName("at")] DateTimeOffset At,
    [property: JsonPropertyName("environment")] string Environment,
    [property: JsonPropertyName("path")] string Path,
    [property: JsonPropertyName("token")] string Token,
    [property: JsonPropertyName("apns-id")] string ApnsId,
    [property: JsonPropertyName("headers")] string[][] Headers,
    [property: JsonPropertyName("payload")] JsonNode? Payload,
    [property: JsonPropertyName("status")] int? Status,
    [property: JsonPropertyName("reason")] string? Reason,
    [property: JsonPropertyName("meaning")] string? Meaning,
    [property: JsonPropertyName("remedy")] string? Remedy)
{
    /// <summary>The value of a header field, whose name is in lower case.</summary>
    public string? Header(string name) => Headers.FirstOrDefault(field => field[0] == name)?[1];

    public override string ToString()
    {
        var answer = Status is null ? "no answer" : $"{Status} {Reason}".Trim();
        var text = $"#{Number} at {At:O}: {answer}, token {Token}, payload {Payload?.ToJsonString()}";
        return Reason is null ? text : $"{text}\n    {Meaning} {Remedy}";
    }
}

/// <summary>A signing key: the text of its p8 file as from Apple, and its ids.</summary>
public sealed record SigningKey(string Key, string KeyId, string TeamId);

/// <summary>Signing keys of each kind that Apple's site makes.</summary>
/// <param name="Development">For development alone.</param>
/// <param name="Production">For production alone.</param>
/// <param name="Topic">For the APNs' topic alone, in production.</param>
/// <param name="Related">Related to <c>Topic</c>: tokens of both may be used on one connection.</param>
/// <param name="SecondTeam">Of another team, whose only app is <c>SecondTeamTopic</c>.</param>
/// <param name="SecondTeamTopic">The bundle id of the other team's app.</param>
public sealed record SigningKeys(
    SigningKey Development, SigningKey Production, SigningKey Topic, SigningKey Related, SigningKey SecondTeam, string SecondTeamTopic);

/// <summary><c>posthorn gateway</c> in a container.</summary>
/// <param name="image">The image of a release.</param>
/// <param name="options">More options of <c>posthorn gateway</c>.</param>
public sealed class PosthornContainer(string image, params string[] options) : IAsyncDisposable
{
    private const int DevelopmentPort = 2197, ProductionPort = 2198, ControlPort = 2180;
    private const string Folder = "/var/lib/posthorn";
    private readonly string bearer = Convert.ToHexString(RandomNumberGenerator.GetBytes(16));
    private IContainer? container;
    private Apns? latest;

    /// <summary>Returns an APNs for one test. The first call starts the container.</summary>
    public async Task<Apns> ApnsAsync()
    {
        if (latest is { IsSpent: true })
        {
            await DisposeAsync();
        }
        container ??= await StartAsync();
        latest = new Apns(
            container.GetMappedPublicPort(ProductionPort), container.GetMappedPublicPort(DevelopmentPort),
            await ReadAsync("ca.pem"), await ReadAsync("key.p8"), await ReadAsync("keyID"), await ReadAsync("teamID"),
            await ReadAsync("topic"), await KeysAsync(), new Uri($"http://{container.Hostname}:{container.GetMappedPublicPort(ControlPort)}/"), bearer);
        await latest.BeginAsync();
        return latest;
    }

    /// <summary>Ends the container.</summary>
    public async ValueTask DisposeAsync()
    {
        if (container is not null)
        {
            await container.DisposeAsync();
        }
        (container, latest) = (null, null);
    }

    private async Task<IContainer> StartAsync()
    {
        string[] command = [
            "gateway", "--json", "--data", $"{Folder}/gateway", "--hand-out", $"{Folder}/out", "--tokens", "1", "--host", "0.0.0.0",
            "--development-port", $"{DevelopmentPort}", "--production-port", $"{ProductionPort}", "--control-host", "0.0.0.0",
            "--control-port", $"{ControlPort}", .. options,
        ];
        var made = new ContainerBuilder(image)
            .WithPortBinding(DevelopmentPort, true).WithPortBinding(ProductionPort, true).WithPortBinding(ControlPort, true)
            .WithEnvironment("POSTHORN_CONTROL_TOKEN", bearer).WithEnvironment("POSTHORN_COURIER_TOKEN", bearer)
            .WithCommand(command)
            // The line of JSON that it prints when it is ready.
            .WithWaitStrategy(Wait.ForUnixContainer().UntilMessageIsLogged("\"productionPort\":"))
            .Build();
        await made.StartAsync();
        return made;
    }

    private async Task<SigningKeys> KeysAsync()
    {
        var teamId = await ReadAsync("teamID");
        return new SigningKeys(
            await KeyAsync("development", teamId), await KeyAsync("production", teamId), await KeyAsync("topic", teamId),
            await KeyAsync("related", teamId), await KeyAsync("secondTeam", await ReadAsync("secondTeamID")),
            await ReadAsync("secondTeamTopic"));
    }

    private async Task<SigningKey> KeyAsync(string name, string teamId) =>
        new(await ReadAsync($"{name}Key.p8"), await ReadAsync($"{name}KeyID"), teamId);

    private async Task<string> ReadAsync(string name) =>
        Encoding.UTF8.GetString(await container!.ReadFileAsync($"{Folder}/out/{name}")).Trim();
}

/// <summary>An APNs for one test: pushes, faults and time. Its faults end when it is disposed of.</summary>
public sealed class Apns : IAsyncDisposable
{
    // The reason that APNs gives with a status, for tests that only name the status.
    private static readonly Dictionary<int, string> Reasons = new()
    {
        [400] = "BadDeviceToken", [403] = "ExpiredProviderToken", [404] = "BadPath", [405] = "MethodNotAllowed", [410] = "Unregistered",
        [413] = "PayloadTooLarge", [429] = "TooManyRequests", [500] = "InternalServerError", [503] = "ServiceUnavailable",
    };

    // The most that the control endpoint waits for in one request.
    private static readonly TimeSpan LongestWait = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan UsualWait = TimeSpan.FromSeconds(5);

    private readonly HttpClient control;
    private readonly List<JsonObject> faults = [];
    private readonly List<string> madeKeys = [];
    private long after;

    internal Apns(
        int port, int developmentPort, string ca, string key, string keyId, string teamId, string topic, SigningKeys keys, Uri address,
        string bearer)
    {
        (Port, DevelopmentPort, Ca, Key, KeyId, TeamId, Topic) = (port, developmentPort, ca, key, keyId, teamId, topic);
        Keys = keys;
        // No proxy stands between a test and its own machine.
        control = new HttpClient(new SocketsHttpHandler { UseProxy = false })
        {
            BaseAddress = address, Timeout = LongestWait + TimeSpan.FromSeconds(30),
        };
        control.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", bearer);
    }

    /// <summary>The name in the server's certificate.</summary>
    public string Host => "localhost";

    /// <summary>The port for production.</summary>
    public int Port { get; }

    /// <summary>The port for development.</summary>
    public int DevelopmentPort { get; }

    /// <summary>The authority that a client has to trust, in PEM.</summary>
    public string Ca { get; }

    /// <summary>The signing key, in PEM as from Apple.</summary>
    public string Key { get; }

    /// <summary>The id of the signing key.</summary>
    public string KeyId { get; }

    /// <summary>The id of the key's team.</summary>
    public string TeamId { get; }

    /// <summary>The bundle id of the tokens.</summary>
    public string Topic { get; }

    /// <summary>Keys of each kind.</summary>
    public SigningKeys Keys { get; }

    internal bool IsSpent { get; private set; }

    internal async Task BeginAsync()
    {
        after = (await ListAsync("limit=1")).Select(push => push.Number).FirstOrDefault();
        // Those that earlier tests have signed.
        await CallAsync(HttpMethod.Delete, "provider-tokens");
    }

    /// <summary>Ends the faults of the test, and revokes the keys that it has made.</summary>
    public async ValueTask DisposeAsync()
    {
        if (!IsSpent)
        {
            await EndFaultsAsync();
            foreach (var id in madeKeys)
            {
                await CallAsync(HttpMethod.Delete, $"keys/{id}");
            }
        }
        control.Dispose();
    }

    /// <summary>
    /// Makes a key as Apple's site does, until the end of this test: for both environments and all topics unless said otherwise.
    /// <c>relatedTo</c> is the key for certain topics that it is related to.
    /// </summary>
    public async Task<SigningKey> MakeKeyAsync(
        string[]? environments = null, string[]? topics = null, SigningKey? relatedTo = null, string? teamId = null)
    {
        var order = new Dictionary<string, object> { ["team"] = teamId ?? TeamId };
        if (environments is not null)
        {
            order["environments"] = environments;
        }
        if (topics is not null)
        {
            order["topics"] = topics;
        }
        if (relatedTo is not null)
        {
            order["relatedTo"] = relatedTo.KeyId;
        }
        var made = await CallAsync(HttpMethod.Post, "keys", order);
        var id = (string)made!["id"]!;
        madeKeys.Add(id);
        return new SigningKey((string)made["p8"]!, id, (string)made["team"]!);
    }

    /// <summary>
    /// Revokes a key: pushes with it get 403 Forbidden from now on. After one of the APNs' own, another container serves the next test.
    /// </summary>
    public async Task RevokeKeyAsync(SigningKey key)
    {
        IsSpent = IsSpent || !madeKeys.Contains(key.KeyId);
        await CallAsync(HttpMethod.Delete, $"keys/{key.KeyId}");
    }

    /// <summary>Issues a device token. It belongs to no device; pushes to it are judged and stored.</summary>
    public async Task<string> TokenAsync(string? topic = null, string environment = "production")
    {
        var issued = await CallAsync(HttpMethod.Post, "tokens", new { topic = topic ?? Topic, environment });
        return (string)issued!["tokens"]![0]!;
    }

    /// <summary>Lets the app be removed: pushes to the token get 410 Unregistered from now on.</summary>
    public Task UnregisterAsync(string token) => CallAsync(HttpMethod.Put, $"tokens/{token}", new { state = "unregistered" });

    /// <summary>Lets the token expire: pushes to it get 410 ExpiredToken from now on.</summary>
    public Task ExpireAsync(string token) => CallAsync(HttpMethod.Put, $"tokens/{token}", new { state = "expired" });

    /// <summary>
    /// Returns the pushes of this test so far, refused ones too. A condition is a name of the control endpoint with a value, such as
    /// <c>("token", token)</c> or <c>("status", 410)</c>.
    /// </summary>
    public Task<List<Push>> PushesAsync(params (string Name, object Value)[] conditions) => ListAsync("limit=1000" + Query(conditions));

    /// <summary>Waits until so many pushes of this test meet the conditions, at most five seconds by default, and returns them.</summary>
    public async Task<List<Push>> WaitAsync(
        int count = 1, TimeSpan? within = null, params (string Name, object Value)[] conditions)
    {
        var limit = within ?? UsualWait;
        var deadline = DateTime.UtcNow + limit;
        while (true)
        {
            var rest = Math.Clamp((deadline - DateTime.UtcNow).TotalSeconds, 0, LongestWait.TotalSeconds);
            var wait = rest.ToString("F3", CultureInfo.InvariantCulture);
            var found = await ListAsync($"limit=1000&count={count}&wait={wait}" + Query(conditions));
            if (found.Count >= count)
            {
                return found;
            }
            if (DateTime.UtcNow >= deadline)
            {
                throw new PosthornException(
                    $"waited {limit} for {count} pushes{Query(conditions)}; found {found.Count}.\n{await StoryAsync()}");
            }
        }
    }

    /// <summary>Returns what became of a push after its answer: "waiting", "delivered", "expired" …</summary>
    public async Task<string> StateAsync(Push push) => (string)(await CallAsync(HttpMethod.Get, $"pushes/{push.ApnsId}"))!["state"]!;

    /// <summary>Waits until a push is in this state, at most five seconds by default.</summary>
    public async Task WaitStateAsync(Push push, string state, TimeSpan? within = null)
    {
        var limit = within ?? UsualWait;
        var deadline = DateTime.UtcNow + limit;
        for (var found = await StateAsync(push); found != state; found = await StateAsync(push))
        {
            if (DateTime.UtcNow >= deadline)
            {
                throw new PosthornException(
                    $"waited {limit} for push #{push.Number} to be {state}; it is {found}.\n{await StoryAsync()}");
            }
            await Task.Delay(20);
        }
    }

    /// <summary>Answers the next pushes with a status such as 410 and its usual reason, and does not accept them.</summary>
    public Task<long> FailNextAsync(int status, int count = 1) => FailNextAsync(
        Reasons.GetValueOrDefault(status)
            ?? throw new PosthornException($"status {status} has no usual reason; give one of Apple's reasons"), count);

    /// <summary>Answers the next pushes with one of Apple's reasons, such as "TooManyRequests", and does not accept them.</summary>
    public Task<long> FailNextAsync(string reason, int count = 1) =>
        FaultAsync("answer", new JsonObject { ["reason"] = reason, ["next"] = count });

    /// <summary>Processes the next pushes so much later.</summary>
    public Task<long> DelayAsync(TimeSpan time, int count = 1) =>
        FaultAsync("latency", new JsonObject { ["seconds"] = time.TotalSeconds, ["next"] = count });

    /// <summary>Sends GOAWAY with the next pushes: last is "this" if the push is still answered, "before" if not.</summary>
    public Task<long> GoAwayAsync(int count = 1, string last = "this") =>
        FaultAsync("goAway", new JsonObject { ["reason"] = "Shutdown", ["lastStreamID"] = last, ["next"] = count });

    /// <summary>Resets the streams of the next pushes, which are not accepted.</summary>
    public Task<long> ResetAsync(int count = 1) => FaultAsync("reset", new JsonObject { ["next"] = count });

    /// <summary>Closes the connection at the next pushes, which are not accepted.</summary>
    public Task<long> CloseAsync(int count = 1) => FaultAsync("close", new JsonObject { ["next"] = count });

    /// <summary>Sets any fault of the control endpoint, until the end of this test. Returns its number.</summary>
    public async Task<long> FaultAsync(string kind, JsonObject keys)
    {
        keys["kind"] = kind;
        var fault = (await CallAsync(HttpMethod.Post, "faults", keys))!.AsObject();
        faults.Add(fault);
        return (long)fault["id"]!;
    }

    /// <summary>Returns how often a fault of this test has occurred.</summary>
    public async Task<int> TimesAsync(long fault)
    {
        var log = await CallAsync(HttpMethod.Get, "log");
        return log!["entries"]!.AsArray().Count(entry => (long?)entry!["fault"] == fault);
    }

    /// <summary>Ends all faults before the test does.</summary>
    public Task EndFaultsAsync() => CallAsync(HttpMethod.Delete, "faults");

    /// <summary>Returns the APNs' time.</summary>
    public async Task<DateTimeOffset> NowAsync()
    {
        var clock = await CallAsync(HttpMethod.Get, "clock");
        return DateTimeOffset.FromUnixTimeMilliseconds((long)((double)clock!["seconds"]! * 1000));
    }

    /// <summary>Advances the clock. Another container serves the next test.</summary>
    public async Task TurnClockAsync(TimeSpan by)
    {
        IsSpent = true;
        await CallAsync(HttpMethod.Post, "clock", new { turn = by.TotalSeconds });
    }

    /// <summary>Returns what happened in this test, for people.</summary>
    public async Task<string> StoryAsync()
    {
        var pushes = await PushesAsync();
        var lines = new List<string> { pushes.Count == 0 ? "No push of this test has arrived." : "Pushes of this test:" };
        lines.AddRange(pushes.Select(push => push.ToString()));
        foreach (var fault in faults)
        {
            lines.Add($"Fault {fault.ToJsonString()}: {await TimesAsync((long)fault["id"]!)} times so far.");
        }
        return string.Join("\n", lines);
    }

    private static string Query((string Name, object Value)[] conditions) =>
        string.Concat(conditions.Select(condition => $"&{condition.Name}={Uri.EscapeDataString(condition.Value.ToString()!)}"));

    private async Task<List<Push>> ListAsync(string query) =>
        (await CallAsync(HttpMethod.Get, $"pushes?after={after}&{query}"))!["pushes"].Deserialize<List<Push>>()!;

    private async Task<JsonNode?> CallAsync(HttpMethod method, string resource, object? body = null)
    {
        using var request = new HttpRequestMessage(method, resource);
        if (body is not null)
        {
            request.Content = new StringContent(JsonSerializer.Serialize(body, body.GetType()), Encoding.UTF8, "application/json");
        }
        using var answer = await control.SendAsync(request);
        var text = await answer.Content.ReadAsStringAsync();
        if (!answer.IsSuccessStatusCode)
        {
            throw new PosthornException($"{method} {resource}: {(int)answer.StatusCode} {text}");
        }
        return text.Length == 0 ? null : JsonNode.Parse(text);
    }
}

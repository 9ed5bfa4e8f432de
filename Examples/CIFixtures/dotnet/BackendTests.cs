using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json;
using Posthorn;
using Xunit;

/// <summary>A container for the tests of the class.</summary>
public sealed class PosthornFixture : IAsyncLifetime
{
    public PosthornContainer Container { get; } = new(Environment.GetEnvironmentVariable("POSTHORN_IMAGE") ?? "posthorn:0.1.0");

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync() => await Container.DisposeAsync();
}

/// <summary>The code under test: it pushes with HttpClient, and tries again when the service is unavailable.</summary>
public sealed class Backend(HttpClient client, string topic, string authorization)
{
    public async Task<string> NotifyAsync(string token, string text)
    {
        for (var attempt = 1; ; attempt++)
        {
            using var request = new HttpRequestMessage(HttpMethod.Post, $"/3/device/{token}")
            {
                Version = HttpVersion.Version20,
                VersionPolicy = HttpVersionPolicy.RequestVersionExact,
                Content = new ByteArrayContent(JsonSerializer.SerializeToUtf8Bytes(new { aps = new { alert = text } })),
            };
            request.Headers.TryAddWithoutValidation("authorization", authorization);
            request.Headers.Add("apns-topic", topic);
            request.Headers.Add("apns-push-type", "alert");
            using var answer = await client.SendAsync(request);
            if (answer.StatusCode != HttpStatusCode.ServiceUnavailable || attempt == 3)
            {
                return $"{(int)answer.StatusCode} {await answer.Content.ReadAsStringAsync()}".Trim();
            }
        }
    }
}

/// <summary>Tests of the backend, against an APNs that each test controls.</summary>
public sealed class BackendTests(PosthornFixture posthorn) : IClassFixture<PosthornFixture>
{
    [Fact]
    public async Task APushArrives()
    {
        await using var apns = await posthorn.Container.ApnsAsync();
        var token = await apns.TokenAsync();
        Assert.Equal("200", await (await MakeBackendAsync(apns)).NotifyAsync(token, "Lunch is ready"));
        var push = (await apns.WaitAsync(1, null, ("token", token))).Single();
        Assert.Equal("""{"aps":{"alert":"Lunch is ready"}}""", push.Payload!.ToJsonString());
        Assert.Equal(apns.Topic, push.Header("apns-topic"));
    }

    [Fact]
    public async Task ADeadTokenIsReported()
    {
        await using var apns = await posthorn.Container.ApnsAsync();
        var token = await apns.TokenAsync();
        await apns.UnregisterAsync(token);
        Assert.StartsWith("410", await (await MakeBackendAsync(apns)).NotifyAsync(token, "Lunch is ready"));
        Assert.Equal("Unregistered", (await apns.PushesAsync(("token", token))).Single().Reason);
    }

    [Fact]
    public async Task AnUnavailableServiceIsTriedAgain()
    {
        await using var apns = await posthorn.Container.ApnsAsync();
        var fault = await apns.FailNextAsync(503, count: 2);
        Assert.Equal("200", await (await MakeBackendAsync(apns)).NotifyAsync(await apns.TokenAsync(), "Lunch is ready"));
        Assert.Equal(new int?[] { 503, 503, 200 }, (await apns.WaitAsync(count: 3)).Select(push => push.Status));
        Assert.Equal(2, await apns.TimesAsync(fault));
    }

    [Fact]
    public async Task AnOldProviderTokenIsRefused()
    {
        await using var apns = await posthorn.Container.ApnsAsync();
        var backend = await MakeBackendAsync(apns);
        await apns.TurnClockAsync(TimeSpan.FromMinutes(61));
        Assert.Equal("""403 {"reason":"ExpiredProviderToken"}""", await backend.NotifyAsync(await apns.TokenAsync(), "Lunch is ready"));
    }

    [Fact]
    public async Task AKeyIsRotatedWithoutALostPush()
    {
        await using var apns = await posthorn.Container.ApnsAsync();
        var (old, next) = (await apns.MakeKeyAsync(), await apns.MakeKeyAsync());
        var token = await apns.TokenAsync();
        Assert.Equal("200", await (await MakeBackendAsync(apns, old)).NotifyAsync(token, "Breakfast is ready"));
        await apns.RevokeKeyAsync(old);
        Assert.Equal("200", await (await MakeBackendAsync(apns, next)).NotifyAsync(token, "Lunch is ready"));
        Assert.Equal("""403 {"reason":"Forbidden"}""", await (await MakeBackendAsync(apns, old)).NotifyAsync(token, "Dinner is ready"));
    }

    [Fact]
    public async Task EnvironmentsThatAreMixedUpAreNoticed()
    {
        await using var apns = await posthorn.Container.ApnsAsync();
        var token = await apns.TokenAsync();
        var (production, development) = (apns.Keys.Production, apns.Keys.Development);
        Assert.Equal("200", await (await MakeBackendAsync(apns, production)).NotifyAsync(token, "Lunch is ready"));
        Assert.Equal(
            """403 {"reason":"BadEnvironmentKeyInToken"}""",
            await (await MakeBackendAsync(apns, development)).NotifyAsync(token, "Lunch is ready"));
    }

    /// <summary>Returns a backend with a new provider token and a client that trusts the APNs.</summary>
    private static async Task<Backend> MakeBackendAsync(Apns apns, SigningKey? signing = null)
    {
        signing ??= new SigningKey(apns.Key, apns.KeyId, apns.TeamId);
        static string Encode(byte[] bytes) => Convert.ToBase64String(bytes).TrimEnd('=').Replace('+', '-').Replace('/', '_');

        var head = Encode(JsonSerializer.SerializeToUtf8Bytes(new { alg = "ES256", kid = signing.KeyId }));
        var claims = Encode(JsonSerializer.SerializeToUtf8Bytes(
            new { iss = signing.TeamId, iat = (await apns.NowAsync()).ToUnixTimeSeconds() }));
        using var key = ECDsa.Create();
        key.ImportFromPem(signing.Key);
        var signature = key.SignData(Encoding.ASCII.GetBytes($"{head}.{claims}"), HashAlgorithmName.SHA256);

        var handler = new SocketsHttpHandler();
        handler.SslOptions.CertificateChainPolicy = new X509ChainPolicy
        {
            TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck,
            CustomTrustStore = { X509Certificate2.CreateFromPem(apns.Ca) },
        };
        var client = new HttpClient(handler) { BaseAddress = new Uri($"https://{apns.Host}:{apns.Port}") };
        return new Backend(client, apns.Topic, $"bearer {head}.{claims}.{Encode(signature)}");
    }
}

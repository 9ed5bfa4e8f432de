package posthorn;

import com.github.dockerjava.api.command.InspectContainerResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * {@code posthorn gateway} in a container, from the image of a release: a module for Testcontainers.
 *
 * <pre>{@code
 * @Container
 * static final PosthornContainer posthorn = new PosthornContainer(DockerImageName.parse("posthorn:0.1.0"));
 *
 * try (var apns = posthorn.apns()) { … }
 * }</pre>
 */
public final class PosthornContainer extends GenericContainer<PosthornContainer> {
    private static final int DEVELOPMENT = 2197, PRODUCTION = 2198, CONTROL = 2180;
    private static final String FOLDER = "/var/lib/posthorn";
    private final String bearer = UUID.randomUUID().toString();
    private Path files;

    public PosthornContainer(DockerImageName image) {
        super(image);
        withExposedPorts(DEVELOPMENT, PRODUCTION, CONTROL);
        withEnv("POSTHORN_CONTROL_TOKEN", bearer);
        withEnv("POSTHORN_COURIER_TOKEN", bearer);
        withCommand(
            "gateway", "--json", "--data", FOLDER + "/gateway", "--hand-out", FOLDER + "/out", "--tokens", "1", "--host", "0.0.0.0",
            "--development-port", "" + DEVELOPMENT, "--production-port", "" + PRODUCTION, "--control-host", "0.0.0.0",
            "--control-port", "" + CONTROL
        );
        // The line of JSON that it prints when it is ready.
        waitingFor(Wait.forLogMessage("\\{\"host\".*\\n", 1));
    }

    @Override protected void containerIsStarted(InspectContainerResponse information) {
        try {
            files = Files.createTempDirectory("posthorn-");
            for (var name : new String[] {"ca.pem", "key.p8", "keyID", "teamID", "topic", "secondTeamID", "secondTeamTopic"}) copy(name);
            for (var key : new String[] {"development", "production", "topic", "related", "secondTeam"}) {
                copy(key + "Key.p8");
                copy(key + "KeyID");
            }
        } catch (IOException problem) {
            throw new IllegalStateException(problem);
        }
    }

    private void copy(String name) throws IOException { copyFileFromContainer(FOLDER + "/out/" + name, files.resolve(name).toString()); }

    /** An APNs for one test. A container whose clock was turned, or whose own keys were revoked, has to be replaced. */
    public Apns apns() {
        var control = "http://" + getHost() + ":" + getMappedPort(CONTROL);
        return new Apns(files, getMappedPort(PRODUCTION), getMappedPort(DEVELOPMENT), control, bearer, null);
    }
}

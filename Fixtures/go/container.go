package posthorntest

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

const (
	home            = "/var/lib/posthorn"
	developmentPort = "2197"
	productionPort  = "2198"
	controlPort     = "2180"
)

// StartAPNsContainer returns an APNs from the image of a release, such as "posthorn:0.1.0", for tests that have Docker and no program
// posthorn. Its faults end with the test. The other arguments are more options of posthorn gateway; only those of the first call count.
//
// The container ends with the tests of the package, by the reaper of Testcontainers.
func StartAPNsContainer(t testing.TB, image string, options ...string) *APNs {
	t.Helper()
	program := started(t, image, func() *program { return startContainer(t, image, options) })
	apns := newAPNs(t, program, program.facts.apnsFacts, program.facts.Topic)
	apns.Keys = handedOutKeys(t, program.folder, apns.TeamID)
	return apns
}

func startContainer(t testing.TB, image string, options []string) *program {
	t.Helper()
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		t.Fatal(err)
	}
	bearer := hex.EncodeToString(random)
	background := context.Background()
	container, err := testcontainers.GenericContainer(background, testcontainers.GenericContainerRequest{
		ContainerRequest: testcontainers.ContainerRequest{
			Image:        image,
			ExposedPorts: []string{developmentPort + "/tcp", productionPort + "/tcp", controlPort + "/tcp"},
			Env:          map[string]string{"POSTHORN_CONTROL_TOKEN": bearer, "POSTHORN_COURIER_TOKEN": bearer},
			Cmd: append([]string{
				"gateway", "--json", "--data", home + "/gateway", "--hand-out", home + "/out", "--tokens", "1", "--host", "0.0.0.0",
				"--development-port", developmentPort, "--production-port", productionPort, "--control-host", "0.0.0.0",
				"--control-port", controlPort,
			}, options...),
			// The line of JSON that it prints when it is ready.
			WaitingFor: wait.ForLog(`"productionPort":`).WithStartupTimeout(startLimit),
		},
		Started: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	folder, err := os.MkdirTemp("", "posthorn-container-")
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		content, err := container.CopyFileFromContainer(background, home+"/out/"+name)
		if err != nil {
			t.Fatal(err)
		}
		defer content.Close()
		text, err := io.ReadAll(content)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	port := func(name string) int {
		mapped, err := container.MappedPort(background, name+"/tcp")
		if err != nil {
			t.Fatal(err)
		}
		number, err := strconv.Atoi(mapped.Port())
		if err != nil {
			t.Fatal(err)
		}
		return number
	}
	host, err := container.Host(background)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ca.pem", "key.p8", "secondTeamID", "secondTeamTopic"} {
		read(name)
	}
	for _, name := range []string{"development", "production", "topic", "related", "secondTeam"} {
		read(name + "Key.p8")
		read(name + "KeyID")
	}
	return &program{
		folder: folder,
		bearer: bearer,
		facts: facts{apnsFacts: apnsFacts{
			CA: filepath.Join(folder, "ca.pem"), KeyFile: filepath.Join(folder, "key.p8"), KeyID: strings.TrimSpace(read("keyID")),
			TeamID: strings.TrimSpace(read("teamID")), Topic: strings.TrimSpace(read("topic")),
			Control:        fmt.Sprintf("http://%s:%d", host, port(controlPort)),
			ProductionPort: port(productionPort), DevelopmentPort: port(developmentPort),
		}},
		end: func() { container.Terminate(background) },
	}
}

// Pushes with Go's standard library to the APNs whose files are in the folder $APNS.
package main

import (
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

func read(name string) string {
	text, err := os.ReadFile(filepath.Join(os.Getenv("APNS"), name))
	if err != nil {
		log.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

// Good for an hour: sign one every 20 to 60 minutes, not one for each push.
func providerToken() (string, error) {
	block, _ := pem.Decode([]byte(read("key.p8")))
	if block == nil {
		return "", errors.New("key.p8 is no PEM")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return "", err
	}
	key, ok := parsed.(*ecdsa.PrivateKey)
	if !ok {
		return "", fmt.Errorf("key.p8 holds a %T; expected an ECDSA key", parsed)
	}
	encode := base64.RawURLEncoding.EncodeToString
	head := fmt.Sprintf(`{"alg":"ES256","kid":%q}`, read("keyID"))
	claims := fmt.Sprintf(`{"iss":%q,"iat":%d}`, read("teamID"), time.Now().Unix())
	text := encode([]byte(head)) + "." + encode([]byte(claims))
	digest := sha256.Sum256([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, key, digest[:])
	if err != nil {
		return "", err
	}
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return text + "." + encode(signature), nil
}

type answer struct {
	Reason string
	// Milliseconds since 1970.
	Timestamp int64
}

func push(client *http.Client, authorization, name, expected string) error {
	token, _, _ := strings.Cut(read(name), "\n")
	// In production: https://api.push.apple.com, and no RootCAs below.
	url := fmt.Sprintf("https://localhost:%s/3/device/%s", read("port"), token)
	request, err := http.NewRequest("POST", url, strings.NewReader(`{"aps":{"alert":"Lunch is ready"}}`))
	if err != nil {
		return err
	}
	request.Header.Set("authorization", authorization)
	request.Header.Set("apns-topic", read("topic"))
	request.Header.Set("apns-push-type", "alert")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var body answer
	if response.StatusCode != 200 {
		if err := json.NewDecoder(response.Body).Decode(&body); err != nil {
			return err
		}
	}
	got := strings.TrimSpace(fmt.Sprint(response.StatusCode, " ", body.Reason))
	fmt.Printf("%s: %s\n", name, got)
	if response.StatusCode == 410 {
		// Here your code forgets the token, unless the app has registered it again since.
		fmt.Println("  dead since", time.UnixMilli(body.Timestamp).UTC().Format(time.RFC3339))
	}
	if got != expected {
		return fmt.Errorf("%s: expected %s, got %s", name, expected, got)
	}
	return nil
}

func main() {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(read("ca.pem")))
	client := &http.Client{
		Timeout: 10 * time.Second,
		// A transport with TLS settings of its own has to be asked for HTTP/2.
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true},
	}
	token, err := providerToken()
	if err != nil {
		log.Fatal(err)
	}
	for _, step := range [][2]string{
		{"tokens", "200"},
		{"unregistered", "410 Unregistered"},
		{"otherEnvironment", "400 BadDeviceToken"},
	} {
		if err := push(client, "bearer "+token, step[0], step[1]); err != nil {
			log.Fatal(err)
		}
	}
}

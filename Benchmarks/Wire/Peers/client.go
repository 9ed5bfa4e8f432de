// Go's HTTP/2 client, golang.org/x/net/http2, which the APNs libraries for Go are based on.
//
//	client PORT COUNT STREAMS
//
// It sends COUNT pushes over one connection and prints `RESULT n=N ok=N seconds=S`.
package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/http2"
)

const head = `{"aps":{"alert":{"title":"hello","body":"`

var (
	payload = []byte(head + strings.Repeat("x", 246-len(head)) + `"}}}`)
	bearer  = []string{"bearer " + strings.Repeat("j", 193)}
)

type sender struct {
	client *http.Client
	origin string
}

// Sends a push; returns whether it was accepted.
func (s sender) send(number uint64) bool {
	var token [32]byte
	binary.BigEndian.PutUint64(token[24:], number*0x9E3779B97F4A7C15)
	request, err := http.NewRequest("POST", s.origin+"/3/device/"+hex.EncodeToString(token[:]), bytes.NewReader(payload))
	if err != nil {
		return false
	}
	request.Header["Authorization"] = bearer
	request.Header["Apns-Topic"] = []string{"com.example.app"}
	request.Header["Apns-Push-Type"] = []string{"alert"}
	request.Header["Apns-Priority"] = []string{"10"}
	response, err := s.client.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return false
	}
	return response.StatusCode == 200 && response.Header.Get("apns-id") != ""
}

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: client PORT COUNT STREAMS")
		os.Exit(64)
	}
	count, err := strconv.ParseInt(os.Args[2], 10, 64)
	streams, err2 := strconv.Atoi(os.Args[3])
	if err != nil || err2 != nil {
		fmt.Fprintln(os.Stderr, "client: COUNT and STREAMS are numbers")
		os.Exit(64)
	}
	var connections, started, accepted atomic.Int64
	transport := &http2.Transport{
		StrictMaxConcurrentStreams: true,
		TLSClientConfig:            &tls.Config{InsecureSkipVerify: true},
		DialTLSContext: func(ctx context.Context, network, address string, config *tls.Config) (net.Conn, error) {
			connections.Add(1)
			return (&tls.Dialer{Config: config}).DialContext(ctx, network, address)
		},
	}
	sender := sender{&http.Client{Transport: transport}, "https://127.0.0.1:" + os.Args[1]}
	// The connection is open before the clock starts.
	sender.send(uint64(count))
	start := time.Now()
	var workers sync.WaitGroup
	for worker := 0; worker < streams; worker++ {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for {
				number := started.Add(1) - 1
				if number >= count {
					return
				}
				if sender.send(uint64(number)) {
					accepted.Add(1)
				}
			}
		}()
	}
	workers.Wait()
	fmt.Printf("RESULT n=%d ok=%d seconds=%f\n", count, accepted.Load(), time.Since(start).Seconds())
	if connections.Load() != 1 {
		fmt.Fprintf(os.Stderr, "client: %d connections; one was expected\n", connections.Load())
		os.Exit(1)
	}
	if accepted.Load() < count {
		os.Exit(1)
	}
}

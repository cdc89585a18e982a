package asynqqueue

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

const (
	// taskIDs is how many different tasks the Redis inside the process can hold. It keeps a few bytes for every key
	// that it has ever seen, so tasks take their ids again and again from this many: about 20 MiB when all were used.
	taskIDs = 1 << 17
	// idAttempts bounds the search for an id that is free.
	idAttempts = 16
	// clockTick is how often keys with a time to live grow older.
	clockTick = time.Second
)

// inside is a Redis in this process, reached without a socket: nobody else on the machine can get in.
type inside struct {
	server  *miniredis.Miniredis
	stop    chan struct{}
	stopped chan struct{}
}

// startInside points the options of a client at it.
func startInside(options *redis.UniversalOptions) *inside {
	i := &inside{server: miniredis.NewMiniRedis(), stop: make(chan struct{}), stopped: make(chan struct{})}
	options.Dialer = func(context.Context, string, string) (net.Conn, error) { return i.server.Dial() }
	options.DisableIdentity = true // miniredis knows neither of the two
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	go i.tick()
	return i
}

// tick moves the clock by which keys expire. (The library can follow the real clock itself, but then it goes through
// all keys at every command.)
func (i *inside) tick() {
	defer close(i.stopped)
	ticker := time.NewTicker(clockTick)
	defer ticker.Stop()
	for last := time.Now(); ; {
		select {
		case <-i.stop:
			return
		case now := <-ticker.C:
			i.server.FastForward(now.Sub(last))
			last = now
		}
	}
}

func (i *inside) enqueue(ctx context.Context, client *asynq.Client, task *asynq.Task, options []asynq.Option) error {
	var err error
	for range idAttempts {
		id := asynq.TaskID(strconv.Itoa(rand.IntN(taskIDs))) //nolint:gosec // a name, not a secret
		_, err = client.EnqueueContext(ctx, task, append(options, id)...)
		if !errors.Is(err, asynq.ErrTaskIDConflict) {
			return err
		}
	}
	return ignoreConflict(err)
}

// idle answers asynq's question for a task where none waits, without running its script: a Lua interpreter for each of fifty
// questions a second is what an idle process would spend most of its time on.
type idle struct{ server *miniredis.Miniredis }

func (idle) DialHook(next redis.DialHook) redis.DialHook { return next }

func (idle) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func (h idle) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if pending, ok := dequeues(cmd.Args()); ok && !h.server.Exists(pending) {
			cmd.SetErr(redis.Nil)
			return redis.Nil
		}
		return next(ctx, cmd)
	}
}

// dequeues reports whether a command is the script by which asynq takes a task, and from which list: its first keys are that
// one and the mark of a queue that is paused.
func dequeues(args []any) (pending string, ok bool) {
	const script, pendingKey, pausedKey = 0, 3, 4 // then the hash of the script, and how many keys follow
	if len(args) <= pausedKey || args[script] != "evalsha" {
		return "", false
	}
	pending, _ = args[pendingKey].(string)
	paused, _ := args[pausedKey].(string)
	return pending, strings.HasSuffix(pending, ":pending") && strings.HasSuffix(paused, ":paused")
}

func (i *inside) close() {
	close(i.stop)
	<-i.stopped
	i.server.Close()
}

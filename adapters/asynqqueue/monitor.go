package asynqqueue

import (
	"github.com/hibiken/asynq"
	"github.com/hibiken/asynqmon"
	"github.com/redis/go-redis/v9"
)

var _ asynq.RedisConnOpt = dial{}

// dial returns asynq's web pages connections of their own, which they may close.
type dial struct{ options *redis.UniversalOptions }

// MakeRedisClient implements asynq.RedisConnOpt.
func (d dial) MakeRedisClient() any { return newClient(d.options) }

// Monitor is asynq's own web pages about this Redis, to be served below a path. They only show: what somebody did to a
// queue there would be in no audit log. Whoever serves them lets in only those who may see; Close before the Queue.
func (q *Queue) Monitor(path string) *asynqmon.HTTPHandler {
	return asynqmon.New(asynqmon.Options{RootPath: path, RedisConnOpt: dial{q.options}, ReadOnly: true})
}

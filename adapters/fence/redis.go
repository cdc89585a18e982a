package fence

import (
	"context"
	"encoding/json"

	"github.com/redis/go-redis/v9"

	"github.com/vezne/vezne/core/epoch"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// prefix begins the keys in a Redis that may have others.
const prefix = "vezne:epoch:"

var _ ports.EpochPlace = (*Redis)(nil)

// Redis is a place that all processes of an installation share.
type Redis struct{ client redis.UniversalClient }

// NewRedis records behind a client, which stays its owner's.
func NewRedis(client redis.UniversalClient) *Redis { return &Redis{client} }

// record keeps a mark where it is foremost, as epoch.Mark.Against says it, and returns what was there. A text that is no mark counts
// as none.
var record = redis.NewScript(`
local before = redis.call('GET', KEYS[1])
local isOurs, kept = pcall(cjson.decode, before or '')
if isOurs and type(kept) == 'table' and type(kept.epoch) == 'number' and type(kept.number) == 'number' then
	local epoch, number = tonumber(ARGV[2]), tonumber(ARGV[4])
	if kept.epoch > epoch or kept.epoch == epoch and (kept.name ~= ARGV[3] or kept.number > number) then
		return before
	end
end
redis.call('SET', KEYS[1], ARGV[1])
return before or ''`)

// Record implements ports.EpochPlace. Each installation has a key of its own.
func (r *Redis) Record(ctx context.Context, m epoch.Mark) (before epoch.Mark, err error) {
	const op = "fence.Redis.Record"
	text, err := json.Marshal(m)
	if err != nil {
		return before, fault.E(op, fault.Internal, err)
	}
	found, err := record.Run(ctx, r.client, []string{prefix + m.Installation}, text, m.Epoch, m.Name, m.Number).Text()
	if err != nil {
		return before, fault.E(op, fault.Unavailable, err)
	}
	if json.Unmarshal([]byte(found), &before) != nil || before.Check() != nil {
		return epoch.Mark{}, nil
	}
	return before, nil
}

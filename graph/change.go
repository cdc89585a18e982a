package graph

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	coreaudit "github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/graph/generated"
)

type changeResolver struct{ Config }

func (r resolvers) Change() generated.ChangeResolver { return changeResolver(r) }

func (changeResolver) Label(ctx context.Context, c *coreaudit.Change, language *string) (string, error) {
	tag, err := languageOf(ctx, lang.Tag(valueOf(language)))
	if err != nil {
		return "", err
	}
	label, _ := lang.Field(tag, c.Key())
	return cmp.Or(label, c.Key()), nil
}

func (r changeResolver) Before(ctx context.Context, c *coreaudit.Change) (*string, error) {
	return r.told(ctx, c, c.Before)
}

func (r changeResolver) After(ctx context.Context, c *coreaudit.Change) (*string, error) {
	return r.told(ctx, c, c.After)
}

// told is a value as the API has it: with the name of what a number is the id of, for those who may see it.
func (r changeResolver) told(ctx context.Context, c *coreaudit.Change, value string) (*string, error) {
	if value == "" {
		return nil, nil //nolint:nilnil // null: nothing
	}
	if c.Enum == "TransactionStatus" {
		value = strings.ToUpper(string(payment.Status(strings.ToLower(value)).Common()))
	}
	id, err := strconv.ParseInt(value, 10, 64)
	if err != nil || id == 0 {
		return &value, nil //nolint:nilerr // no id
	}
	name := ""
	switch c.Kind {
	case coreaudit.DealerChange:
		if d, err := r.dealer(ctx, id); err == nil && d != nil {
			name = d.Name
		}
	case coreaudit.ProviderChange:
		if p, err := r.provider(ctx, id); err == nil && p != nil {
			name = p.Name
		}
	case coreaudit.GatewayChange:
		if g, err := r.gateway(ctx, id); err == nil && g != nil {
			name = g.Name
		}
	default:
		return &value, nil
	}
	if name != "" {
		value = fmt.Sprintf("%s (%s)", name, value)
	}
	return &value, nil
}

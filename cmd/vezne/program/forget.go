package program

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	directory "github.com/vezne/vezne/app/owner"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/cmd/vezne/settings"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
)

// forgetCommand forgets a customer of a provider, or of a dealer's own.
type forgetCommand struct {
	settings.Config
	Provider          int64  `xor:"whose" required:"" help:"Id of the provider whose customer it is."`
	Dealer            int64  `xor:"whose" required:"" help:"Id of the dealer whose own customer it is."`
	User              string `required:"" help:"The customer's user id, as the provider or dealer sends it."`
	Yes               bool   `help:"Do not ask."`
	BeforeLegalPeriod string `placeholder:"REASON" help:"Forget although the law says that the data has to be kept; the reason goes into the audit log, so name nobody in it."`
}

// refusals are why a customer is not forgotten, in sentences.
var refusals = map[directory.Refusal]string{
	directory.HasOpenPayments: "the customer has transactions that have not ended",
	directory.HasPendingWork:  "a callback waits, an operation at a gateway is not closed or a discrepancy is open for one of the customer's transactions",
	directory.IsBlocked:       "the customer is on the block list: forgotten, they would be a new customer who is not; unblock them first",
	directory.MustBeKept:      "commercial records have to be kept for ten years (Turkish Commercial Code, article 82), and what the law against money laundering covers for eight (5549, article 8)",
}

// Run forgets the customer.
func (c forgetCommand) Run(ctx context.Context, t terminal) error {
	set, err := c.Check("data")
	if err != nil {
		return err
	}
	s, err := openForCommand(ctx, set, "forget")
	if err != nil {
		return err
	}
	return errors.Join(c.forget(ctx, t, &s.customers.Forgetting), s.close())
}

func (c forgetCommand) forget(ctx context.Context, t terminal, f *directory.Forgetting) error {
	order := directory.Order{
		Subject:       owner.Subject{ProviderID: c.Provider, DealerID: c.Dealer, UserID: c.User},
		DespiteTheLaw: strings.TrimSpace(c.BeforeLegalPeriod),
	}
	held, refusal, err := f.Held(ctx, order)
	if err == nil && refusal == "" && !c.Yes {
		err = confirm(t, held)
	}
	if err == nil && refusal == "" {
		held, refusal, err = f.Forget(ctx, app.By(core.Actor{Kind: core.BySystem, Name: "vezne forget"}), order)
	}
	switch {
	case fault.Is(err, fault.NotFound):
		return errors.New("nothing is held of this customer")
	case err != nil:
		return fault.Cause(err)
	case refusal == directory.MustBeKept:
		return fmt.Errorf("not forgotten: %s; the last transaction is of %s: wait until %s, or give --before-legal-period a reason",
			refusals[refusal], held.LastPaymentAt.Format(time.DateOnly), held.KeepUntil().Format(time.DateOnly))
	case refusal != "":
		return fmt.Errorf("not forgotten: %s", refusals[refusal])
	}
	_, err = fmt.Fprintf(t.out, "forgotten: %d transactions have the user id %s now\n", held.PaymentCount, owner.Pseudonym(held.KeyID))
	return err
}

// confirm asks before what cannot be undone.
func confirm(t terminal, held owner.HeldData) error {
	_, err := fmt.Fprintf(t.err, "%d transactions, the last of %s. Names, IBANs and addresses are lost for good. Type yes to forget the customer: ",
		held.PaymentCount, held.LastPaymentAt.Format(time.DateOnly))
	if err != nil {
		return err
	}
	line, err := bufio.NewReader(io.LimitReader(os.Stdin, maxPasswordLine)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("reading the answer: %w", err)
	}
	if strings.TrimSpace(line) != "yes" {
		return errors.New("not forgotten")
	}
	return nil
}

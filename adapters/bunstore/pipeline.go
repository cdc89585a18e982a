package bunstore

import (
	"bufio"
	"bytes"
	"context"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"
)

// The prepared statements of a commit are sent as a pipeline of PostgreSQL's extended protocol: Bind and Execute of each, and one Sync, at
// which the transaction ends. SQL's EXECUTE, which is a message of the simple protocol, takes a fifth more of the server's time for one
// payment, since it reads each value as an expression of its own. pgdriver sends one statement at a time, so this is written here: what is
// sent of https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING, and what can come back.
const pipelineBegin = "/*pipeline*/" // messages follow, and no SQL

// Letters of messages. https://www.postgresql.org/docs/current/protocol-message-formats.html
const (
	messageBind    = 'B'
	messageExecute = 'E'
	messageSync    = 'S'

	answerBound     = '2'
	answerData      = 'D'
	answerCompleted = 'C'
	answerReady     = 'Z'
	answerError     = 'E'
	answerNotice    = 'N' // it and the next two may come at any time
	answerParameter = 'S'
	answerNotify    = 'A'
)

// maxAnswer bounds a message of the server.
const maxAnswer = 1 << 20 // bytes

// bindBytes is about what the messages of a statement take beside its values.
const bindBytes = 64

// pipelined is the statements of a commit as a pipeline, behind what says which statements are in it.
func (d postgres) pipelined(batch []statement) string {
	numbers, size := make([]int, len(batch)), 0
	for _, s := range batch {
		size += bindBytes
		for _, t := range s.tuples {
			size += len(t.sql) + len(t.ends) // a length takes a byte more than quotes and a comma
		}
	}
	p := pipeline{make([]byte, 0, size)}
	for i, s := range batch {
		numbers[i] = d.bind(s, &p)
	}
	p.end(p.begin(messageSync))
	return executes(numbers...) + pipelineBegin + string(p.messages)
}

// bind appends the messages of a statement of a commit, and returns its number. It is one statement for one row, and one for any
// number of them, whose parameters are arrays of the columns: it is neither read nor planned anew for each number.
func (d postgres) bind(s statement, to *pipeline) (number int) {
	isOne := s.rows == 1
	rows := anyRows
	if isOne {
		rows = 1
	}
	number = d.prepared.number(preparedWrite{s.template, rows}, func() string { return s.parametrized(isOne) })
	parameters := len(s.fields)
	if s.isCounted {
		parameters++
	}
	message := to.begin(messageBind)
	to.text("") // the portal
	to.text(preparedName(number))
	to.int16(0) // all parameters are text
	to.int16(parameters)
	for i := range s.fields {
		if isOne {
			to.literal(s.tuples[0].value(i, len(s.fields)))
		} else {
			to.array(s, i)
		}
	}
	if s.isCounted {
		to.literal(strconv.AppendInt(nil, int64(s.wanted), 10))
	}
	to.int16(0) // so are all results
	to.end(message)
	message = to.begin(messageExecute)
	to.text("")
	to.int32(0) // all rows
	to.end(message)
	return number
}

// pipeline is messages to PostgreSQL: a letter, the length of what follows it, and that.
type pipeline struct{ messages []byte }

const lengthBytes = 4

func (p *pipeline) int16(n int) { p.messages = binary.BigEndian.AppendUint16(p.messages, uint16(n)) } //nolint:gosec // parameters are few
func (p *pipeline) int32(n int) { p.messages = binary.BigEndian.AppendUint32(p.messages, uint32(n)) } //nolint:gosec // a message is below 1 GB

func (p *pipeline) text(s string) { p.messages = append(append(p.messages, s...), 0) }

// begin writes the letter of a message and returns where its length goes.
func (p *pipeline) begin(letter byte) (at int) {
	p.messages = append(p.messages, letter)
	return p.leave()
}

// leave leaves room for a length.
func (p *pipeline) leave() (at int) {
	at = len(p.messages)
	p.int32(0)
	return at
}

// end writes the length of a message, which counts itself.
func (p *pipeline) end(at int) {
	binary.BigEndian.PutUint32(p.messages[at:], uint32(len(p.messages)-at)) //nolint:gosec // as above
}

// endValue writes the length of a value, which does not.
func (p *pipeline) endValue(at int) {
	binary.BigEndian.PutUint32(p.messages[at:], uint32(len(p.messages)-at-lengthBytes)) //nolint:gosec // as above
}

// null is the length of NULL.
const null = 1<<32 - 1

// literal writes a literal as a value.
func (p *pipeline) literal(of []byte) {
	at := p.leave()
	quoted, isText := quotedIn(of)
	switch {
	case isText:
		p.messages = appendUnquoted(p.messages, quoted, `'`)
	case string(of) == "NULL":
		binary.BigEndian.PutUint32(p.messages[at:], null)
		return
	default: // a number, or a truth value
		p.messages = append(p.messages, of...)
	}
	p.endValue(at)
}

// array writes a column of all rows of a statement as a value.
func (p *pipeline) array(s statement, column int) {
	at := p.leave()
	p.messages = append(p.messages, '{')
	isFirst := true
	for _, t := range s.tuples {
		for n := column; n < len(t.ends); n += len(s.fields) {
			if !isFirst {
				p.messages = append(p.messages, ',')
			}
			isFirst = false
			value := t.value(n, len(s.fields))
			quoted, isText := quotedIn(value)
			if !isText {
				p.messages = append(p.messages, value...)
				continue
			}
			p.messages = append(appendUnquoted(append(p.messages, '"'), quoted, `'"\`), '"')
		}
	}
	p.messages = append(p.messages, '}')
	p.endValue(at)
}

// quotedIn returns what is between the quotes of a literal; false: it has none.
func quotedIn(literal []byte) (quoted []byte, isText bool) {
	if literal[0] != '\'' {
		return nil, false
	}
	return literal[1 : len(literal)-1], true
}

// appendUnquoted appends a text whose quotes are doubled, and puts a backslash before what else is special where it goes.
func appendUnquoted(to, quoted []byte, special string) []byte {
	for {
		i := bytes.IndexAny(quoted, special)
		if i < 0 {
			return append(to, quoted...)
		}
		to = append(to, quoted[:i]...)
		if quoted[i] == '\'' {
			i++ // the second of two
		} else {
			to = append(to, '\\')
		}
		to = append(to, quoted[i])
		quoted = quoted[i+1:]
	}
}

// pipe sends the messages of so many statements, and returns the first error with which the server answered. After what else goes wrong the
// connection ends, since nobody knows what comes over it next.
func (c *preparingConn) pipe(ctx context.Context, messages []byte, statements int) (driver.Result, error) {
	until, ok := ctx.Deadline()
	if !ok {
		until = time.Now().Add(commitTimeout)
	}
	connection := c.Conn.Conn()
	if err := connection.SetDeadline(until); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	if n, err := connection.Write(messages); err != nil {
		_ = c.Close() // what it could say is the error
		if n == 0 {
			return nil, driver.ErrBadConn // nothing was sent: another connection may
		}
		return nil, err
	}
	if c.answers == nil {
		c.answers = bufio.NewReader(connection)
	}
	said, err := readAnswers(c.answers, statements)
	if err != nil || c.answers.Buffered() > 0 || said.isFatal() {
		_ = c.Close() // as above
	}
	switch {
	case err != nil:
		return nil, err
	case said != nil:
		return nil, said
	default:
		return driver.ResultNoRows, nil
	}
}

// readAnswers reads until the server is ready again. It returns the first error that the server has sent; nil: it has carried out all of the
// statements and committed.
func readAnswers(from *bufio.Reader, statements int) (said answeredError, err error) {
	for completed := 0; ; {
		letter, body, err := readAnswer(from)
		if err != nil {
			return nil, err
		}
		switch letter {
		case answerBound, answerData, answerNotice, answerParameter, answerNotify:
		case answerCompleted:
			completed++
		case answerError:
			if said == nil {
				said = answeredErrorOf(body)
			}
		case answerReady:
			if string(body) != "I" || said == nil && completed != statements {
				return nil, fmt.Errorf("after %d of %d statements PostgreSQL is in the state %q", completed, statements, body)
			}
			return said, nil
		default:
			return nil, fmt.Errorf("PostgreSQL answered with a message %q", letter)
		}
	}
}

func readAnswer(from *bufio.Reader) (letter byte, body []byte, err error) {
	var head [1 + lengthBytes]byte
	if _, err := io.ReadFull(from, head[:]); err != nil {
		return 0, nil, err
	}
	length := binary.BigEndian.Uint32(head[1:])
	if length < lengthBytes || length > maxAnswer {
		return 0, nil, fmt.Errorf("PostgreSQL answered with a message of %d bytes", length)
	}
	body = make([]byte, length-lengthBytes)
	_, err = io.ReadFull(from, body)
	return head[0], body, err
}

// answeredError is what the server says of an error, by the letters of its fields. It reads as pgdriver's own, which nobody else can make.
type answeredError map[byte]string

func answeredErrorOf(body []byte) answeredError {
	e := answeredError{}
	for len(body) > 1 { // a letter, a text and 0 for each, and another 0
		text, rest, _ := bytes.Cut(body[1:], []byte{0})
		e[body[0]], body = string(text), rest
	}
	return e
}

// Field returns a field. https://www.postgresql.org/docs/current/protocol-error-fields.html
func (e answeredError) Field(letter byte) string { return e[letter] }

// Error says what pgdriver would.
func (e answeredError) Error() string {
	return e.Field('S') + ": " + e.Field('M') + " (SQLSTATE=" + e.Field('C') + ")"
}

// isFatal reports whether the server ends the connection.
func (e answeredError) isFatal() bool { return e.Field('V') == "FATAL" || e.Field('V') == "PANIC" }

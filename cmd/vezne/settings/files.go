package settings

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/alecthomas/kong"
)

// maxFile bounds a file that has one setting.
const maxFile = 16 << 10

// FromFiles reads the settings that hold secrets from files, where the variables of their tag "file" name one: an environment can be
// read by whoever may look at the process, and systemd, compose and Kubernetes all bring secrets as files.
func FromFiles() kong.Resolver {
	return kong.ResolverFunc(func(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
		variable := flag.Tag.Get("file")
		name := os.Getenv(variable)
		if variable == "" || name == "" {
			return nil, nil
		}
		for _, direct := range flag.Envs {
			if os.Getenv(direct) != "" {
				return nil, fmt.Errorf("both %s and %s are set: unset one", direct, variable)
			}
		}
		text, err := ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", variable, err)
		}
		return text, nil
	})
}

// ReadFile returns the one line of a file that has a setting, without the end of the line. Its errors have nothing of what is in it.
func ReadFile(name string) (text string, err error) {
	file, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }() // only read from
	all, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return "", err
	}
	text = strings.TrimRight(string(all), "\r\n")
	switch {
	case len(all) > maxFile:
		return "", fmt.Errorf("%s has more than %d bytes", name, maxFile)
	case text == "":
		return "", errors.New(name + " is empty")
	case strings.ContainsAny(text, "\r\n\x00"):
		return "", errors.New(name + " has more than one line")
	}
	return text, nil
}

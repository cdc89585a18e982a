module github.com/vezne/vezne/sdk/go

go 1.22

// Package report has what staff ask about all of it: lists, statistics, and jobs over many payments.
package report

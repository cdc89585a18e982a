// Package staff is who works here: sign-in, second factors, sessions, invitations and members.
package staff

//go:build unix

package bunstore

import (
	"errors"
	"net"
	"syscall"
	"time"
)

// isAlive reports whether an idle connection may be used: a server that restarted has closed it, or has left its farewell
// to be read. Nothing is sent. Without this look, each pooled connection would fail one caller after a restart.
func isAlive(conn net.Conn) bool {
	if wrapped, ok := conn.(interface{ NetConn() net.Conn }); ok { // TLS
		conn = wrapped.NetConn()
	}
	socket, ok := conn.(syscall.Conn)
	if !ok {
		return true
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return false
	}
	if err := conn.SetReadDeadline(time.Time{}); err != nil { // the last query's has passed
		return false
	}
	isQuiet := false
	err = raw.Read(func(fd uintptr) bool {
		var one [1]byte
		_, _, err := syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK)
		isQuiet = errors.Is(err, syscall.EAGAIN)
		return true
	})
	return err == nil && isQuiet
}

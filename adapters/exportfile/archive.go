package exportfile

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"math"
	"slices"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/report"
)

// The parts of a ZIP archive (PKWARE APPNOTE 4.3). An entry's sizes follow its data, because they are not known before.
const (
	localSignature      = 0x04034b50
	descriptorSignature = 0x08074b50
	centralSignature    = 0x02014b50
	endSignature        = 0x06054b50

	zipVersion   = 20
	sizesFollow  = 1 << 3
	namesAreUTF8 = 1 << 11
	deflated     = 8
	firstDay     = 1<<5 | 1 // 1980-01-01: the archive says nothing of when it was made
)

// archive writes a ZIP archive from where another one left it. The data of an entry is a row of deflate blocks, and every
// piece ends at the end of one: the next piece goes on with a compressor of its own.
type archive struct {
	out   bytes.Buffer
	state report.FileState
	err   error
}

func resume(state report.FileState) *archive {
	state.Entries = slices.Clone(state.Entries)
	return &archive{state: state}
}

func (a *archive) at() int64 { return a.state.Bytes + int64(a.out.Len()) }

// put writes numbers of 2 and 4 bytes.
func (a *archive) put(numbers ...any) {
	for _, n := range numbers {
		if err := binary.Write(&a.out, binary.LittleEndian, n); err != nil {
			a.err = err
		}
	}
}

// begin opens an entry.
func (a *archive) begin(name string) {
	a.state.Entries = append(a.state.Entries, report.FileEntry{Name: name, Offset: a.at()})
	a.put(uint32(localSignature), uint16(zipVersion), uint16(sizesFollow|namesAreUTF8), uint16(deflated), uint16(0),
		uint16(firstDay), uint32(0), uint32(0), uint32(0), uint16(len(name)), uint16(0)) //nolint:gosec // names are short
	a.out.WriteString(name)
}

// write appends to the open entry; isEnd closes it.
func (a *archive) write(data []byte, isEnd bool) {
	entry := &a.state.Entries[len(a.state.Entries)-1]
	before := a.out.Len()
	packer, err := flate.NewWriter(&a.out, flate.DefaultCompression)
	if err == nil {
		_, err = packer.Write(data)
	}
	if err == nil && isEnd {
		err = packer.Close()
	} else if err == nil {
		err = packer.Flush()
	}
	if err != nil {
		a.err = err
	}
	entry.CRC = crc32.Update(entry.CRC, crc32.IEEETable, data)
	entry.Packed += int64(a.out.Len() - before)
	entry.Size += int64(len(data))
	if isEnd {
		a.put(uint32(descriptorSignature), entry.CRC, uint32(entry.Packed), uint32(entry.Size)) //nolint:gosec // done looks
	}
}

// add writes a whole entry.
func (a *archive) add(name, content string) {
	a.begin(name)
	a.write([]byte(content), true)
}

// finish writes the archive's directory.
func (a *archive) finish() {
	start := a.at()
	for _, e := range a.state.Entries {
		a.put(uint32(centralSignature), uint16(zipVersion), uint16(zipVersion), uint16(sizesFollow|namesAreUTF8),
			uint16(deflated), uint16(0), uint16(firstDay), e.CRC, uint32(e.Packed), uint32(e.Size), uint16(len(e.Name)), //nolint:gosec // done looks
			uint16(0), uint16(0), uint16(0), uint16(0), uint32(0), uint32(e.Offset)) //nolint:gosec // done looks
		a.out.WriteString(e.Name)
	}
	n := uint16(len(a.state.Entries))                                                                       //nolint:gosec // seven
	a.put(uint32(endSignature), uint16(0), uint16(0), n, n, uint32(a.at()-start), uint32(start), uint16(0)) //nolint:gosec // done looks
}

// done returns the bytes. Fault Invalid: a size or an offset is greater than the format has room for.
func (a *archive) done() ([]byte, report.FileState, error) {
	a.state.Bytes = a.at()
	largest := a.state.Bytes
	for _, e := range a.state.Entries {
		largest = max(largest, e.Size)
	}
	if largest > math.MaxUint32 {
		return nil, report.FileState{}, fault.New("exportfile.archive", fault.Invalid)
	}
	if a.err != nil {
		return nil, report.FileState{}, fault.E("exportfile.archive", fault.Internal, a.err)
	}
	return a.out.Bytes(), a.state, nil
}

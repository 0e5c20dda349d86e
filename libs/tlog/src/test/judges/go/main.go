// Reads a log in a folder with Go's own libraries: the note, every leaf's proof, and the consistency with each size.
package main

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// folder reads tiles as tlog-tiles stores them: x/mod names them tile/8/<level>/<n>, C2SP tile/<level>/<n>.
type folder string

func (f folder) Height() int { return 8 }

func (f folder) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range tiles {
		path := strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
		data, err := os.ReadFile(filepath.Join(string(f), path))
		if err != nil {
			return nil, err
		}
		all = append(all, data)
	}
	return all, nil
}

func (f folder) SaveTiles([]tlog.Tile, [][]byte) {}

func check(err error) {
	if err != nil {
		fmt.Println("refused:", err)
		os.Exit(1)
	}
}

func main() {
	log := folder(os.Args[1])
	verifier, err := note.NewVerifier(os.Args[2])
	check(err)
	signed, err := os.ReadFile(filepath.Join(string(log), "checkpoint"))
	check(err)
	opened, err := note.Open(signed, note.VerifierList(verifier))
	check(err)
	lines := strings.Split(opened.Text, "\n")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	check(err)
	var root tlog.Hash
	raw, err := base64.StdEncoding.DecodeString(lines[2])
	check(err)
	copy(root[:], raw)
	// TileHashReader authenticates every tile that it reads against the root.
	hashes := tlog.TileHashReader(tlog.Tree{N: size, Hash: root}, log)
	for n := int64(0); n < size; n++ {
		leaf, err := hashes.ReadHashes([]int64{tlog.StoredHashIndex(0, n)})
		check(err)
		proof, err := tlog.ProveRecord(size, n, hashes)
		check(err)
		check(tlog.CheckRecord(proof, size, root, n, leaf[0]))
		old, err := tlog.TreeHash(n+1, hashes)
		check(err)
		tree, err := tlog.ProveTree(size, n+1, hashes)
		check(err)
		check(tlog.CheckTree(tree, size, root, n+1, old))
	}
	fmt.Printf("accepted: %d leaves\n", size)
}

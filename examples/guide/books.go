package main

import (
	"fmt"
	"strings"
)

// A Book is what views show of a book.
type Book struct {
	ID    int    `json:"id"`
	Title string `json:"title"`
}

var library = func() (books []Book) {
	for i := range 50 {
		books = append(books, Book{i + 1, fmt.Sprintf("Gardening, volume %d", i+1)})
	}
	return append(books, Book{51, "The Art of Cooking"})
}()

// find returns the books whose titles contain the words, never nil.
func find(words string) []Book {
	found := []Book{}
	for _, b := range library {
		if strings.Contains(strings.ToLower(b.Title), strings.ToLower(words)) {
			found = append(found, b)
		}
	}
	return found
}

// after returns at most n of the books that follow the one with the given id, and
// whether there are more.
func after(books []Book, id, n int) (page []Book, more bool) {
	for len(books) > 0 && books[0].ID <= id {
		books = books[1:]
	}
	return books[:min(n, len(books))], len(books) > n
}

func titles(books []Book) []string {
	list := []string{}
	for _, b := range books {
		list = append(list, b.Title)
	}
	return list
}

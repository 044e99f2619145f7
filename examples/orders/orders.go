package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"time"
)

// orderCount is the number of orders that the server has.
const orderCount = 100_000

// An Order is a row of the list.
type Order struct {
	ID       int    `json:"id"`
	Customer string `json:"customer"`
	City     string `json:"city"`
	Cents    int    `json:"cents" jsonschema:"amount in euro cents"`
	Status   string `json:"status"`
	Date     string `json:"date" jsonschema:"day of the order, as 2026-03-14"`
}

// statuses are the states of an order, in the order in which it passes through them.
var statuses = []string{"open", "packed", "shipped", "delivered", "cancelled"}

// A book has the orders. Its methods are safe for concurrent use.
type book struct {
	// words has the searchable text of each order in lower case. It does not change.
	words []string

	mu      sync.RWMutex
	orders  []Order // ordered by ID, which starts at 1
	changes int     // how many changes were made
}

var (
	firstNames = []string{"Ada", "Alan", "Barbara", "Chen", "Dennis", "Edsger", "Fatima", "Grace", "Hedy", "Ivan", "Jean", "Katherine", "Linus", "Margaret", "Niklaus", "Olga", "Radia", "Sofia", "Tim", "Yukihiro"}
	lastNames  = []string{"Adebayo", "Brandt", "Castillo", "Dubois", "Eriksen", "Fischer", "García", "Haddad", "Ito", "Jansen", "Kowalska", "Lindqvist", "Moretti", "Nakamura", "Okafor", "Petrov", "Quist", "Rossi", "Schmidt", "Tanaka", "Usman", "Virtanen", "Weber", "Yilmaz"}
	cities     = []string{"Amsterdam", "Berlin", "Copenhagen", "Dublin", "Edinburgh", "Frankfurt", "Genoa", "Hamburg", "Istanbul", "Lisbon", "Madrid", "Naples", "Oslo", "Paris", "Rotterdam", "Stockholm", "Tallinn", "Utrecht", "Vienna", "Zürich"}
)

// newBook returns a book with n orders, which are the same in each process.
func newBook(n int) *book {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(from []string) string { return from[random.IntN(len(from))] }
	start := time.Date(2024, time.January, 1, 0, 0, 0, 0, time.UTC)
	b := &book{orders: make([]Order, n), words: make([]string, n)}
	for i := range b.orders {
		o := Order{
			ID:       i + 1,
			Customer: pick(firstNames) + " " + pick(lastNames),
			City:     pick(cities),
			Cents:    random.IntN(50_000) + random.IntN(50_000) + 500,
			Date:     start.AddDate(0, 0, i*730/n).Format(time.DateOnly),
		}
		// An order is open for some weeks, and then delivered, with few exceptions.
		switch chance := random.IntN(100); {
		case chance < 4:
			o.Status = "cancelled"
		case i > n*9/10 || chance == 99:
			o.Status = statuses[random.IntN(3)]
		default:
			o.Status = "delivered"
		}
		b.orders[i] = o
		b.words[i] = strings.ToLower(strconv.Itoa(o.ID) + " " + o.Customer + " " + o.City)
	}
	return b
}

// euros formats an amount, as €1,234.50.
func euros(cents int) string {
	return "€" + thousands(cents/100) + fmt.Sprintf(".%02d", cents%100)
}

// thousands formats a number that is not negative, as 100,000.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

package core

// MaxPage is the greatest number of rows in one page.
const MaxPage = 200

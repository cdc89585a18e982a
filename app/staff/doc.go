// Package staff decides who may call: providers and dealers by their keys, staff by session; and keeps who works here.
package staff

package graph

import "github.com/vezne/vezne/graph/generated"

// resolvers answers every field that is not simply a field of its core type.
type resolvers struct{ Config }

var _ generated.ResolverRoot = resolvers{}

type (
	queryResolver       struct{ Config }
	mutationResolver    struct{ Config }
	transactionResolver struct{ Config }
	connectionResolver  struct{}
	edgeResolver        struct{}
	pageInfoResolver    struct{}
	attemptResolver     struct{}
	providerResolver    struct{}
	staffResolver       struct{}
)

func (r resolvers) Query() generated.QueryResolver                   { return queryResolver(r) }
func (r resolvers) Mutation() generated.MutationResolver             { return mutationResolver(r) }
func (r resolvers) Transaction() generated.TransactionResolver       { return transactionResolver(r) }
func (resolvers) TransactionEdge() generated.TransactionEdgeResolver { return edgeResolver{} }
func (resolvers) PageInfo() generated.PageInfoResolver               { return pageInfoResolver{} }
func (resolvers) CallbackAttempt() generated.CallbackAttemptResolver { return attemptResolver{} }
func (resolvers) Provider() generated.ProviderResolver               { return providerResolver{} }
func (resolvers) Staff() generated.StaffResolver                     { return staffResolver{} }
func (resolvers) TransactionConnection() generated.TransactionConnectionResolver {
	return connectionResolver{}
}

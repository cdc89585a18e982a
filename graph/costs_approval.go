package graph

import (
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/graph/generated"
)

const rulesCost = 13 // rules that there are

func costsOfApprovals(c *generated.ComplexityRoot) {
	c.Query.Approvals = func(child int, _ []approval.ApprovalState, first *int, _ *string) int {
		return lookUpCost + pageSize(first)*child
	}
	c.Query.ApprovalRules = func(child int) int { return lookUpCost + rulesCost*child }
	c.Transaction.Approvals = func(child int) int { return lookUpCost + child }
	c.Mutation.ApproveRequest = func(child int, _ core.ID, _ *string) int { return callCost + child }
	c.Mutation.RefuseRequest = func(child int, _ core.ID, _ *string) int { return mutationCost + child }
	c.Mutation.WithdrawRequest = func(child int, _ core.ID) int { return mutationCost + child }
	c.Mutation.TakeApprovalResult = c.Mutation.WithdrawRequest
	c.Mutation.SetApprovalRule = func(child int, _ generated.ApprovalRuleInput) int { return mutationCost + child }
}

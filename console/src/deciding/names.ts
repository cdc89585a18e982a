// The decisions, how each is asked for, and what it takes.
import type { Operation } from '../api/operation';
import type { IconName } from '../ui/Icon';
import type { Key } from '../words/words';
import {
  ApproveDepositDocument, ApproveHeldDepositDocument, ApprovePayoutDocument, DeclineHeldDepositDocument, CancelPayoutDocument, CancelWithdrawalDocument, ClaimWithdrawalDocument,
  CompleteWithdrawalDocument, ConfirmPayoutDocument, CorrectCreditDocument, FailPayoutDocument, FailWithdrawalDocument,
  RefundTransactionDocument, RejectDepositDocument, RejectPayoutDocument, RejectWithdrawalDocument, ReleaseWithdrawalDocument,
  type DecisionName,
} from './deciding.generated';

interface Way {
  operation: unknown;
  icon: IconName;
  /** What most people are here for; or what ends it without money. */
  tone: 'primary' | 'danger' | 'plain';
  /** Its key in lists and on a transaction's page. */
  key?: 'a' | 'r';
  reasons?: readonly Key[];
  needsReason?: true;
}

const refusals = ['deciding.reason.noMoney', 'deciding.reason.otherName', 'deciding.reason.otherAmount', 'deciding.reason.twice'] as const;
const unpaid = ['deciding.reason.badIban', 'deciding.reason.bankRefused', 'deciding.reason.otherHolder'] as const;

export const ways: Record<DecisionName, Way> = {
  APPROVE_DEPOSIT: { operation: ApproveDepositDocument, icon: 'check', tone: 'primary', key: 'a' },
  REJECT_DEPOSIT: { operation: RejectDepositDocument, icon: 'close', tone: 'danger', key: 'r', reasons: refusals, needsReason: true },
  CORRECT_CREDIT: { operation: CorrectCreditDocument, icon: 'moving', tone: 'plain', needsReason: true },
  CLAIM_WITHDRAWAL: { operation: ClaimWithdrawalDocument, icon: 'person', tone: 'primary', key: 'a' },
  COMPLETE_WITHDRAWAL: { operation: CompleteWithdrawalDocument, icon: 'check', tone: 'primary', key: 'a' },
  RELEASE_WITHDRAWAL: { operation: ReleaseWithdrawalDocument, icon: 'back', tone: 'plain' },
  REJECT_WITHDRAWAL: { operation: RejectWithdrawalDocument, icon: 'close', tone: 'danger', key: 'r', reasons: unpaid, needsReason: true },
  FAIL_WITHDRAWAL: { operation: FailWithdrawalDocument, icon: 'warning', tone: 'danger', reasons: unpaid, needsReason: true },
  CANCEL_WITHDRAWAL: { operation: CancelWithdrawalDocument, icon: 'close', tone: 'danger' },
  APPROVE_PAYOUT: { operation: ApprovePayoutDocument, icon: 'check', tone: 'primary', key: 'a' },
  CONFIRM_PAYOUT: { operation: ConfirmPayoutDocument, icon: 'key', tone: 'primary', key: 'a' },
  REJECT_PAYOUT: { operation: RejectPayoutDocument, icon: 'close', tone: 'danger', key: 'r', reasons: unpaid, needsReason: true },
  FAIL_PAYOUT: { operation: FailPayoutDocument, icon: 'warning', tone: 'danger', reasons: unpaid, needsReason: true },
  CANCEL_PAYOUT: { operation: CancelPayoutDocument, icon: 'close', tone: 'danger' },
  APPROVE_HELD_DEPOSIT: { operation: ApproveHeldDepositDocument, icon: 'check', tone: 'primary' },
  DECLINE_HELD_DEPOSIT: { operation: DeclineHeldDepositDocument, icon: 'close', tone: 'danger', needsReason: true },
  REFUND_TRANSACTION: { operation: RefundTransactionDocument, icon: 'back', tone: 'plain' },
};

/** operationOf is the mutation of a decision; its input is what inputOf makes. */
export const operationOf = (name: DecisionName) => ways[name].operation as Operation<object, { input: object }>;

/** fieldOf is what the API calls a decision: APPROVE_DEPOSIT is approveDeposit. */
export const fieldOf = (name: DecisionName) => name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());


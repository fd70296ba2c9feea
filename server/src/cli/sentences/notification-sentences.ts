import type { ResolveRefusal, Unresolved } from '../../notifications/index.ts'
import { planSentence } from './plan-sentences.ts'
import { userSentence } from './user-sentences.ts'

export const NO_SUCH_NOTIFICATION = 'there is no such notification: find its id with `portaria webhook list`'

/** Why a notification is pending. */
export const pendingTexts = {
  unknown_plan:
    'no plan here is the one it names: make it with `portaria plan set`, or name another with `portaria webhook resolve ID --plan SLUG`',
  ambiguous_plan: 'several plans fit what it names: say which with `portaria webhook resolve ID --plan SLUG --product SLUG`',
  unusable_address: "the buyer's address is none that an account can have: give the right one with `portaria webhook resolve ID --email A`",
  unexpected_amount:
    'less was paid than the price of a plan that takes no less (`portaria webhook show ID` says both): if it buys the plan all the same, say so with `portaria webhook resolve ID --plan SLUG`; else `--ignore` it, and see to the money at the gateway',
  unknown_payment:
    'it is about a payment or subscription that is unknown here, perhaps no sale of this product: ignored until that is known, processed by itself then; `portaria gateway reconcile` asks for what was missed',
  duplicate: 'another notification says the same and stands for it: see those with the same subject in `portaria webhook list`',
  awaiting_gateway:
    'the gateway is being asked for the rest: see `portaria outbox list`; `portaria webhook reprocess ID` asks at once, `portaria webhook resolve ID --ignore` ends it',
} as const satisfies Record<Unresolved, string>

const resolutions = {
  not_pending:
    'no notification with this id waits: see `portaria webhook list --status unresolved`, or what became of it with `portaria webhook show ID`',
  no_such_product: planSentence({ refusal: 'no_such_product' }),
  email_malformed: userSentence({ refusal: 'email_malformed' }),
} as const satisfies Record<Exclude<ResolveRefusal['refusal'], 'still_unresolved'>, string>

export function resolveSentence(refused: ResolveRefusal): string {
  return refused.refusal === 'still_unresolved' ? `it still waits: ${pendingTexts[refused.why]}` : resolutions[refused.refusal]
}

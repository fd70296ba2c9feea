import type { PlanRefusal } from '../../subscriptions/index.ts'
import { NAME, SLUG } from './forms.ts'

const plans = {
  slug_malformed: `this slug can't be used: ${SLUG}`,
  name_malformed: `${NAME}, 100 characters at most`,
  price_malformed: 'the price must be whole centavos, as in 4900 for R$ 49,00',
  no_such_product: 'there is no such product: find its slug with `portaria product list`',
  slug_taken: 'a plan with this slug exists: choose another, or change that one with `portaria plan set`',
  not_found: 'there is no such plan: see `portaria plan list`',
  changed_meanwhile: 'the plan was changed by someone else meanwhile: look at it again',
} as const satisfies Record<PlanRefusal['refusal'], string>

export function planSentence({ refusal }: PlanRefusal): string {
  return plans[refusal]
}

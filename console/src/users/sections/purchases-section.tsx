import { useTexts } from '../../i18n/use-texts.ts'
import { ListPart } from '../../kit/list/list-page.tsx'
import { Section } from '../../kit/show/section.tsx'
import { Absent, Time } from '../../kit/show/values.tsx'
import { usePlanName } from '../../kit/use-plan-name.ts'
import { useProductName } from '../../kit/use-product-name.ts'
import { PaidBy } from '../../payments/paid-by.tsx'
import { StateChip } from '../../payments/state-chip.tsx'
import { type Subscription, subscriptionPath } from '../../subscriptions/subscription.ts'
import { userTexts } from '../texts.ts'
import type { UserDetails } from '../user.ts'

/** The subscriptions of a user. */
export function PurchasesSection({ user }: { user: UserDetails }) {
  const texts = useTexts(userTexts)
  const planName = usePlanName()
  const productName = useProductName()
  return (
    <Section title={texts.purchases}>
      <ListPart<Subscription>
        resource="subscriptions"
        filter={{ user_id: user.id }}
        label={texts.purchases}
        columns={[
          { label: texts.plan, value: ({ plan_slug, product }) => (plan_slug === null ? <Absent /> : planName(plan_slug, product)) },
          { label: texts.product, value: ({ product }) => (product === null ? texts.ofOperator : productName(product)) },
          { label: texts.state, value: ({ status }) => <StateChip state={status} /> },
          { label: texts.method, value: (one) => <PaidBy payment={one} /> },
          { label: texts.paidUntil, value: ({ current_period_end }) => <Time at={current_period_end} /> },
          { label: texts.changedAt, value: ({ changed_at }) => <Time at={changed_at} /> },
        ]}
        sort={{ field: 'created_at', order: 'DESC' }}
        pathOf={({ id }) => subscriptionPath(id)}
        empty={texts.noPurchases}
      />
    </Section>
  )
}

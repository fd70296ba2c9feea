import { useTexts } from '../i18n/use-texts.ts'
import { ListPart } from '../kit/list-page.tsx'
import type { Column } from '../kit/list-rows.tsx'
import { Section } from '../kit/section.tsx'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'
import { Absent, Time } from '../kit/values.tsx'
import { userTexts } from './texts.ts'
import type { UserDetails } from './user.ts'

/** What somebody bought, as the API tells of it. */
interface Purchase {
  id: string
  state: keyof typeof tones
  plan_slug: string | null
  product: string | null
  method: string | null
  current_period_end: string | null
  changed_at: string
}

const tones = {
  pending: 'neutral',
  active: 'good',
  past_due: 'warning',
  canceled: 'neutral',
  expired: 'neutral',
  refunded: 'bad',
  disputed: 'bad',
} as const satisfies Record<string, Tone>

/** The subscriptions of a person. */
export function PurchasesSection({ user }: { user: UserDetails }) {
  const texts = useTexts(userTexts)
  const methodOf = (method: string | null) => Object.entries(texts.methods).find(([known]) => known === method)?.[1] ?? method
  const columns: ReadonlyArray<Column<Purchase>> = [
    { label: texts.plan, value: ({ plan_slug }) => plan_slug ?? <Absent /> },
    { label: texts.product, value: ({ product }) => product ?? texts.ofOperator },
    { label: texts.state, value: ({ state }) => <StatusChip tone={tones[state]} label={texts.states[state]} /> },
    { label: texts.method, value: ({ method }) => methodOf(method) ?? <Absent /> },
    { label: texts.paidUntil, value: ({ current_period_end }) => <Time at={current_period_end} /> },
    { label: texts.changedAt, value: ({ changed_at }) => <Time at={changed_at} /> },
  ]
  return (
    <Section title={texts.purchases}>
      <ListPart<Purchase>
        resource="subscriptions"
        filter={{ user_id: user.id }}
        label={texts.purchases}
        columns={columns}
        sort={{ field: 'created_at', order: 'DESC' }}
        pathOf={({ id }) => `/subscriptions/${encodeURIComponent(id)}/show`}
        empty={texts.noPurchases}
      />
    </Section>
  )
}

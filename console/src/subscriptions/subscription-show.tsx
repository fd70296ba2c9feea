import { Alert, Stack, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { useMay } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { CopyText } from '../kit/show/copy-text.tsx'
import { Facts } from '../kit/show/facts.tsx'
import { Section } from '../kit/show/section.tsx'
import { ShowPage } from '../kit/show/show-page.tsx'
import { Time } from '../kit/show/values.tsx'
import { usePlanName } from '../kit/use-plan-name.ts'
import { useProductName } from '../kit/use-product-name.ts'
import { labelOf } from '../payments/label-of.ts'
import { PaidBy } from '../payments/paid-by.tsx'
import { paymentTexts } from '../payments/payment-texts.ts'
import { StateChip } from '../payments/state-chip.tsx'
import { SuggestedUsers } from '../payments/suggested-users.tsx'
import { UserLink } from '../payments/user-link.tsx'
import { AccessChip } from './access-chip.tsx'
import { SubscriptionActions } from './actions.tsx'
import { LinkButton } from './link-button.tsx'
import { isGuest, nameAtSource, type SubscriptionDetails } from './subscription.ts'
import { subscriptionTexts } from './texts.ts'
import { Timeline } from './timeline.tsx'

/** One subscription: its access with the reason, its user, its events, and the possible actions. */
export function SubscriptionShow() {
  const texts = useTexts(subscriptionTexts)
  const mayChange = useMay('subscriptions:write')
  const planName = usePlanName()
  return (
    <ShowPage<SubscriptionDetails>
      back="/subscriptions"
      title={({ plan_slug, product, email }) =>
        [plan_slug === null ? texts.noPlan : planName(plan_slug, product), email].filter((part) => part !== null).join(' · ')
      }
      actions={(subscription) => mayChange && <SubscriptionActions key={subscription.user_id} subscription={subscription} />}
    >
      {(subscription) => (
        <>
          <StateSection subscription={subscription} />
          <SuggestedUsers
            users={subscription.suggested_users}
            actionOf={({ id }) => mayChange && <LinkButton subscriptionId={subscription.id} userId={id} />}
          />
          <About subscription={subscription} />
          <Section title={texts.timeline}>
            <Timeline events={subscription.events} product={subscription.product} />
          </Section>
        </>
      )}
    </ShowPage>
  )
}

/** Its access, the reason, and remarks. */
function StateSection({ subscription }: { subscription: SubscriptionDetails }) {
  const texts = useTexts(subscriptionTexts)
  const { active, status, reason, is_newest, buyer_forgotten_at, link_closed_at, user_id } = subscription
  return (
    <Section title={texts.access}>
      <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
        <AccessChip isActive={active} isGuest={isGuest(subscription)} />
        <StateChip state={status} />
        <Typography component="span">{labelOf(texts.reasons, reason)}</Typography>
      </Stack>
      {!is_newest && (
        <Alert severity="info" sx={{ mt: 1.5 }}>
          {texts.superseded}
        </Alert>
      )}
      {link_closed_at !== null && user_id === null && (
        <Alert severity="info" sx={{ mt: 1.5 }}>
          {texts.linkClosed} <Time at={link_closed_at} />
        </Alert>
      )}
      {buyer_forgotten_at !== null && (
        <Alert severity="info" sx={{ mt: 1.5 }}>
          {texts.forgotten} <Time at={buyer_forgotten_at} />
        </Alert>
      )}
    </Section>
  )
}

function About({ subscription }: { subscription: SubscriptionDetails }) {
  const texts = useTexts(subscriptionTexts)
  const { sources } = useTexts(paymentTexts)
  const planName = usePlanName()
  const productName = useProductName()
  const { id, plan_slug, product, email, user_id, product_user, current_period_end, grace_until, source } = subscription
  const facts: Array<readonly [string, ReactNode]> = [
    [texts.owner, user_id === null ? texts.guest : <UserLink key="owner" id={user_id} />],
    [texts.buyer, email],
    [texts.plan, plan_slug === null ? texts.noPlan : planName(plan_slug, product)],
    [texts.product, product === null ? texts.ofOperator : productName(product)],
    [texts.method, <PaidBy key="method" payment={subscription} />],
    [texts.paidUntil, current_period_end && <Time key="paid" at={current_period_end} />],
    [texts.graceUntil, grace_until && <Time key="grace" at={grace_until} />],
    [texts.productUser, product_user],
    [texts.source, labelOf(sources, source)],
    [texts.ref, <CopyText key="ref" text={nameAtSource(subscription)} label={texts.ref} />],
    [texts.id, <CopyText key="id" text={id} label={texts.id} />],
  ]
  return (
    <Section title={texts.about}>
      <Facts facts={facts} />
    </Section>
  )
}

import { Box, Stack, Typography } from '@mui/material'
import { useLocale } from 'react-admin'
import { useTimeZone } from '../../console-context.ts'
import { localeOf } from '../../i18n/locales.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { Address, Time } from '../../kit/show/values.tsx'
import { EvidenceChips } from '../../payments/evidence-chips.tsx'
import { UserLink } from '../../payments/user-link.tsx'
import { LinkButton } from '../../subscriptions/link-button.tsx'
import { useMayActOn } from '../actions/use-may-act-on.ts'
import type { UserDetails } from '../user.ts'
import type { UnlinkedPurchase } from './access.ts'
import { accessSentence } from './access-sentence.ts'
import { accessTexts } from './access-texts.ts'
import { RestsOn } from './rests-on.tsx'

interface UnlinkedProps {
  user: UserDetails
  purchases: readonly UnlinkedPurchase[]
}

/** Purchases that may be the user's though they are not linked, each with its evidence. Shows nothing where there are none. */
export function UnlinkedPurchases({ user, purchases }: UnlinkedProps) {
  const texts = useTexts(accessTexts)
  if (purchases.length === 0) return undefined
  return (
    <Box sx={{ mt: 2 }}>
      <Typography component="h3" variant="h3">
        {texts.unlinked}
      </Typography>
      <Box component="ul" aria-label={texts.unlinked} sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {purchases.map((purchase) => (
          <Unlinked key={purchase.subscription_id} user={user} purchase={purchase} />
        ))}
      </Box>
    </Box>
  )
}

function Unlinked({ user, purchase }: { user: UserDetails; purchase: UnlinkedPurchase }) {
  const texts = useTexts(accessTexts)
  const locale = localeOf(useLocale())
  const zone = useTimeZone()
  const mayLink = useMayActOn(user, 'subscriptions:write')
  const { subscription_id, email, user_id, link_closed_at, because, product_name } = purchase
  return (
    <Box component="li" sx={{ py: 1.25, borderTop: 1, borderColor: 'divider', '&:first-of-type': { borderTop: 0 } }}>
      <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', justifyContent: 'space-between', alignItems: 'flex-start', gap: 1.5 }}>
        <Box sx={{ minWidth: 0, flex: '1 1 16rem' }}>
          <EvidenceChips because={because} />
          {email !== null && (
            <Typography sx={{ mt: 0.5 }}>
              {texts.boughtWith} <Address text={email} />
            </Typography>
          )}
          <Typography variant="body2">
            {product_name ?? texts.operatorPlans}: {accessSentence(purchase, { locale, zone })}
          </Typography>
          {user_id !== null && (
            <Box sx={{ typography: 'body2' }}>
              {texts.ofOther} <UserLink id={user_id} />
            </Box>
          )}
          {link_closed_at !== null && user_id === null && (
            <Typography variant="body2" color="textSecondary">
              {texts.unlinkedByOperator} <Time at={link_closed_at} />
            </Typography>
          )}
          <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', columnGap: 2, typography: 'body2' }}>
            <RestsOn row={purchase} />
          </Stack>
        </Box>
        {mayLink && <LinkButton subscriptionId={subscription_id} userId={user.id} />}
      </Stack>
    </Box>
  )
}

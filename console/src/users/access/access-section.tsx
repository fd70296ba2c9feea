import { Alert, Box, LinearProgress, Stack, Typography } from '@mui/material'
import { useLocale } from 'react-admin'
import { adminPath } from '../../api/admin-http.ts'
import { useTimeZone } from '../../console-context.ts'
import { localeOf } from '../../i18n/locales.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { Failed } from '../../kit/failed.tsx'
import { EmptyLine } from '../../kit/show/empty-line.tsx'
import { Section } from '../../kit/show/section.tsx'
import { kitTexts } from '../../kit/texts.ts'
import { useRead } from '../../kit/use-read.ts'
import { AccessChip } from '../../subscriptions/access-chip.tsx'
import { GrantButton } from '../../subscriptions/grant-button.tsx'
import { useMayActOn } from '../actions/use-may-act-on.ts'
import type { UserDetails } from '../user.ts'
import type { UserAccess } from './access.ts'
import { accessSentence } from './access-sentence.ts'
import { accessTexts } from './access-texts.ts'
import { PaidUntil, RestsOn } from './rests-on.tsx'
import { UnlinkedPurchases } from './unlinked-purchases.tsx'
import { WaitingNotifications } from './waiting-notifications.tsx'

/** Of one product: most users have one, and what is below it must not move. */
const ROW_HEIGHT = '5rem'

/** A user's access: one row a product, with the sentence that says why, and what may be theirs besides. */
export function AccessSection({ user }: { user: UserDetails }) {
  const texts = useTexts(accessTexts)
  const { loading } = useTexts(kitTexts)
  const mayGrant = useMayActOn(user, 'subscriptions:write')
  const { data, error, refetch } = useRead<UserAccess>(adminPath('users', user.id, 'access'))
  return (
    <Section title={texts.title} actions={mayGrant && <GrantButton user={user} />}>
      {error && <Failed error={error} onRetry={refetch} />}
      {!data && !error && (
        <Box sx={{ minHeight: ROW_HEIGHT }}>
          <LinearProgress aria-label={loading} />
        </Box>
      )}
      {data && <Access user={user} access={data} />}
    </Section>
  )
}

function Access({ user, access: { locked, address_verified, products, unlinked, waiting } }: { user: UserDetails; access: UserAccess }) {
  const texts = useTexts(accessTexts)
  const isOfAddress = unlinked.some(({ because, user_id }) => user_id === null && because.includes('address'))
  const lock = locked && (
    <Alert severity="error" sx={{ mb: 1.5 }}>
      {texts.locked}
    </Alert>
  )
  if (products.length + unlinked.length + waiting.length === 0)
    return (
      <>
        {lock}
        <EmptyLine>{texts.nothing}</EmptyLine>
      </>
    )
  return (
    <>
      {lock}
      {!address_verified && isOfAddress && (
        <Alert severity="warning" sx={{ mb: 1.5 }}>
          {texts.unverified}
        </Alert>
      )}
      {products.length === 0 && <Typography>{texts.nothing}</Typography>}
      {products.length > 0 && (
        <Box component="ul" aria-label={texts.title} sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {products.map((row) => (
            <ProductRow key={row.subscription_id} row={row} isLocked={locked} />
          ))}
        </Box>
      )}
      <WaitingNotifications waiting={waiting} />
      <UnlinkedPurchases user={user} purchases={unlinked} />
    </>
  )
}

function ProductRow({ row, isLocked }: { row: UserAccess['products'][number]; isLocked: boolean }) {
  const texts = useTexts(accessTexts)
  const locale = localeOf(useLocale())
  const zone = useTimeZone()
  return (
    <Box component="li" sx={{ py: 1.25, borderTop: 1, borderColor: 'divider', '&:first-of-type': { borderTop: 0, pt: 0 } }}>
      <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', alignItems: 'center', columnGap: 1.5, rowGap: 0.5 }}>
        <Typography component="h3" variant="h3">
          {row.product_name ?? texts.operatorPlans}
        </Typography>
        <AccessChip isActive={row.active && !isLocked} isGuest={false} />
      </Stack>
      <Typography sx={{ mt: 0.5 }}>{accessSentence(row, { locale, zone })}</Typography>
      <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', columnGap: 2, mt: 0.25, color: 'text.secondary', typography: 'body2' }}>
        <PaidUntil row={row} />
        <RestsOn row={row} />
        {row.others > 0 && <span>{texts.others(row.others)}</span>}
      </Stack>
    </Box>
  )
}

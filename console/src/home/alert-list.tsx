import CheckCircle from '@mui/icons-material/CheckCircleOutlined'
import { Box, Link, List, ListItem, Stack, Typography } from '@mui/material'
import { Link as RouterLink } from 'react-router-dom'
import { useMe } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { StatusChip, type Tone } from '../kit/show/status-chip.tsx'
import { useTimeText } from '../kit/show/values.tsx'
import { useProductName } from '../kit/use-product-name.ts'
import { paymentTexts } from '../payments/payment-texts.ts'
import { alertTexts } from './alert-texts.ts'
import type { Alert } from './overview.ts'

/** Of the service's pages, outside the console. */
const TWO_FACTOR_PAGE = '/account/second-factor'

const tones = { bad: 'bad', warning: 'warning', info: 'neutral' } as const satisfies Record<Alert['severity'], Tone>

/** The alerts, each with a link. */
export function AlertList({ items }: { items: readonly Alert[] }) {
  const texts = useTexts(alertTexts)
  if (items.length === 0) {
    return (
      <Stack direction="row" spacing={1} sx={{ alignItems: 'center', color: 'success.main' }}>
        <CheckCircle />
        <Typography color="textPrimary">{texts.nothing}</Typography>
      </Stack>
    )
  }
  return (
    <List disablePadding>
      {items.map((item, i) => (
        <ListItem
          key={`${item.kind} ${item.product} ${item.gateway}`}
          disableGutters
          divider={i < items.length - 1}
          sx={{ alignItems: 'flex-start', gap: 1.5, flexDirection: { xs: 'column', sm: 'row' } }}
        >
          <Box sx={{ flex: 'none', width: { sm: 104 } }}>
            <StatusChip tone={tones[item.severity]} label={texts.severities[item.severity]} />
          </Box>
          <Item item={item} />
        </ListItem>
      ))}
    </List>
  )
}

function Item({ item }: { item: Alert }) {
  const texts = useTexts(alertTexts)
  const { sources } = useTexts(paymentTexts)
  const timeText = useTimeText()
  const productName = useProductName()
  const { has_second_factor: isGuarded } = useMe()
  const isOwn = item.kind === 'unguarded_administrators' && !isGuarded
  const { count } = item
  const time = (at: string | null) => (at === null ? '' : timeText(at))
  const about = {
    count,
    product: item.product === null ? '' : productName(item.product),
    gateway: Object.entries(sources).find(([source]) => source === item.gateway)?.[1] ?? '',
    since: time(item.since),
    until: time(item.until),
  }
  const known = texts.kinds[isOwn ? 'unguarded_self' : item.kind]
  const title = known ? known.title(about) : item.kind
  return (
    <Box sx={{ minWidth: 0 }}>
      <Title text={title} path={item.path} {...(isOwn && { page: TWO_FACTOR_PAGE })} />
      {known && (
        <Typography variant="body2" color="textSecondary">
          {known.text(about)}
        </Typography>
      )}
    </Box>
  )
}

/** `page`: an address outside the console, which goes before `path`. */
function Title({ text, path, page }: { text: string; path: string | null; page?: string }) {
  if (page !== undefined) {
    return (
      <Link href={page} sx={{ fontWeight: 600 }}>
        {text}
      </Link>
    )
  }
  if (path === null) return <Typography sx={{ fontWeight: 600 }}>{text}</Typography>
  return (
    <Link component={RouterLink} to={path} sx={{ fontWeight: 600 }}>
      {text}
    </Link>
  )
}

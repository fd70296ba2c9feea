import Edit from '@mui/icons-material/EditOutlined'
import Login from '@mui/icons-material/Login'
import Logout from '@mui/icons-material/Logout'
import Mail from '@mui/icons-material/MailOutlined'
import Webhook from '@mui/icons-material/NotificationsNoneOutlined'
import Receipt from '@mui/icons-material/ReceiptLongOutlined'
import { Box, Link, Typography } from '@mui/material'
import { Link as RouterLink } from 'react-router-dom'
import { Actor } from '../audit/actor.tsx'
import { useTexts } from '../i18n/use-texts.ts'
import { Time } from '../kit/show/values.tsx'
import type { TimelineEntry } from './entry.ts'
import { timelineTexts } from './texts.ts'
import { useSentence } from './use-sentence.ts'

const icons = {
  sign_in: Login,
  session_end: Logout,
  purchase: Receipt,
  notification: Webhook,
  mail: Mail,
  change: Edit,
} as const satisfies Record<TimelineEntry['kind'], unknown>

/** One line of the history: its sign, the event, the time. */
export function TimelineItem({ entry }: { entry: TimelineEntry }) {
  const texts = useTexts(timelineTexts)
  const { title, more, actor } = useSentence()(entry)
  const Icon = icons[entry.kind]
  return (
    <Box
      component="li"
      sx={{ display: 'flex', gap: 1.5, py: 1, borderTop: 1, borderColor: 'divider', '&:first-of-type': { borderTop: 0 } }}
    >
      <Icon fontSize="small" aria-hidden="true" sx={{ mt: 0.25, color: 'text.secondary' }} />
      <Box sx={{ minWidth: 0, flex: 1, display: { sm: 'flex' }, justifyContent: 'space-between', gap: 2 }}>
        <Box sx={{ minWidth: 0 }}>
          {entry.path === null ? (
            <Typography>{title}</Typography>
          ) : (
            <Link component={RouterLink} to={entry.path}>
              {title}
            </Link>
          )}
          {(more !== '' || actor !== undefined) && (
            <Typography variant="body2" color="textSecondary" component="div" sx={{ a: { textDecoration: 'underline' } }}>
              {actor !== undefined && (
                <>
                  {texts.by} <Actor actor={actor} />
                </>
              )}
              {actor !== undefined && more !== '' && ' · '}
              {more}
            </Typography>
          )}
        </Box>
        <Typography variant="body2" color="textSecondary" sx={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
          <Time at={entry.at} />
        </Typography>
      </Box>
    </Box>
  )
}

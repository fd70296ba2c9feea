import Edit from '@mui/icons-material/EditOutlined'
import Login from '@mui/icons-material/Login'
import Logout from '@mui/icons-material/Logout'
import Mail from '@mui/icons-material/MailOutlined'
import Webhook from '@mui/icons-material/NotificationsNoneOutlined'
import Receipt from '@mui/icons-material/ReceiptLongOutlined'
import type { SvgIcon } from '@mui/material'
import { Actor } from '../audit/actor.tsx'
import { useTexts } from '../i18n/use-texts.ts'
import { TimelineRow } from '../kit/show/timeline-row.tsx'
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
} as const satisfies Record<TimelineEntry['kind'], typeof SvgIcon>

/** One line of a user's history. */
export function TimelineItem({ entry }: { entry: TimelineEntry }) {
  const texts = useTexts(timelineTexts)
  const { title, more, actor } = useSentence()(entry)
  return (
    <TimelineRow icon={icons[entry.kind]} title={title} path={entry.path} at={entry.at}>
      {actor !== undefined && (
        <>
          {texts.by} <Actor actor={actor} />
        </>
      )}
      {actor !== undefined && more !== '' && ' · '}
      {more}
    </TimelineRow>
  )
}

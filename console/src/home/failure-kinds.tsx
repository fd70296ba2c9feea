import { Link, List, ListItem, Typography } from '@mui/material'
import { useLocale } from 'react-admin'
import { Link as RouterLink } from 'react-router-dom'
import { localeOf } from '../i18n/locales.ts'
import { useTexts } from '../i18n/use-texts.ts'
import type { Day } from './overview.ts'
import { homeTexts } from './texts.ts'

const UNRESOLVED = `/notifications?${new URLSearchParams({ filter: '{"status":"unresolved"}' })}`

/** The kinds of failures, each with the page where it is handled. A refused sign-in has none. */
export function FailureKinds({ days }: { days: readonly Day[] }) {
  const texts = useTexts(homeTexts)
  const number = new Intl.NumberFormat(localeOf(useLocale()))
  const sum = (kind: 'failed_sign_ins' | 'failed_notifications' | 'dead_jobs') => days.reduce((all, day) => all + day[kind], 0)
  const kinds = [
    { name: texts.failedSignIns, count: sum('failed_sign_ins') },
    { name: texts.failedNotifications, count: sum('failed_notifications'), path: UNRESOLVED },
    { name: texts.deadJobs, count: sum('dead_jobs'), path: '/jobs' },
  ]
  return (
    <List dense disablePadding sx={{ mt: 1 }}>
      {kinds
        .filter(({ count }) => count > 0)
        .map(({ name, count, path }) => (
          <ListItem key={name} disableGutters disablePadding>
            <Typography variant="body2">
              {path === undefined ? (
                name
              ) : (
                <Link component={RouterLink} to={path}>
                  {name}
                </Link>
              )}
              : {number.format(count)}
            </Typography>
          </ListItem>
        ))}
    </List>
  )
}

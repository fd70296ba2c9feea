import { Card, LinearProgress, Link, List, ListItem, Stack, Typography } from '@mui/material'
import { Navigate, Link as RouterLink, useLocation, useSearchParams } from 'react-router-dom'
import { useMe } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { Failed } from '../kit/failed.tsx'
import { Empty } from '../kit/list/empty.tsx'
import { PageHeading } from '../kit/page-heading.tsx'
import { useRead } from '../kit/use-read.ts'
import { userPath } from '../users/user.ts'
import { isByEnter, isNumberOfUser, pathOfOnly } from './only-result.ts'
import type { SearchAnswer, SearchResult } from './search-result.ts'
import { searchTexts } from './texts.ts'
import { useResultLabel } from './use-result-label.ts'

/** As many as the API answers. */
const MOST = 20

/** The results of the search box. The address holds the search text. */
export function SearchPage() {
  const texts = useTexts(searchTexts)
  const isViewer = useMe().role === 'viewer'
  const [query] = useSearchParams()
  const typed = query.get('q')?.trim() ?? ''
  return (
    <>
      <PageHeading title={texts.title} />
      {typed === '' ? <Empty title={isViewer ? texts.viewerHint : texts.hint} /> : <Results key={typed} typed={typed} />}
    </>
  )
}

function Results({ typed }: { typed: string }) {
  const texts = useTexts(searchTexts)
  const isViewer = useMe().role === 'viewer'
  const { state } = useLocation()
  const { data, error, refetch } = useRead<SearchAnswer>(`search?${new URLSearchParams({ q: typed })}`)
  if (error) return <Failed error={error} onRetry={refetch} />
  const found = data?.data
  const only = found && isByEnter(state) ? pathOfOnly(found) : undefined
  // In its place: the way back leads to where the search began.
  if (only !== undefined) return <Navigate to={only} replace />
  const hint = isViewer ? (isNumberOfUser(typed) ? texts.notForViewers : texts.viewerHint) : texts.hint
  return (
    <>
      <Typography role="status" color="textSecondary" sx={{ mb: 1 }}>
        {found && found.length > 0 && (found.length < MOST ? texts.found(found.length) : texts.many)}
        {found?.length === 0 &&
          (isViewer && isNumberOfUser(typed) ? texts.hidden : data?.mistyped ? texts.mistyped[data.mistyped] : texts.nothing)}
      </Typography>
      {!found && <LinearProgress aria-label={texts.loading} />}
      {found?.length === 0 && <Empty title={typed}>{hint}</Empty>}
      {found && found.length > 0 && (
        <Card>
          <List disablePadding aria-label={texts.title}>
            {found.map((one, i) => (
              <Result key={`${one.type} ${one.id}`} found={one} isLast={i === found.length - 1} />
            ))}
          </List>
        </Card>
      )}
    </>
  )
}

function Result({ found, isLast }: { found: SearchResult; isLast: boolean }) {
  const texts = useTexts(searchTexts)
  const { type, user_id, path } = found
  const { name, about } = useResultLabel()(found)
  const user = user_id === null ? undefined : userPath(user_id)
  return (
    <ListItem divider={!isLast} sx={{ display: { xs: 'block', sm: 'flex' }, gap: 2, py: 1.25 }}>
      <Typography variant="body2" color="textSecondary" sx={{ width: { sm: 112 }, flex: 'none' }}>
        {texts.types[type]}
      </Typography>
      <Stack sx={{ minWidth: 0, flex: 1 }}>
        <Link component={RouterLink} to={path} underline="hover" sx={{ fontWeight: 600 }}>
          {name}
        </Link>
        {about !== '' && (
          <Typography variant="body2" color="textSecondary">
            {about}
          </Typography>
        )}
      </Stack>
      {user !== undefined && user !== path && (
        <Link component={RouterLink} to={user} variant="body2" sx={{ whiteSpace: 'nowrap' }}>
          {texts.user}
        </Link>
      )}
    </ListItem>
  )
}

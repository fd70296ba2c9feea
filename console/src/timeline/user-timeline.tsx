import { Button, LinearProgress } from '@mui/material'
import { useInfiniteQuery } from '@tanstack/react-query'
import { adminPath } from '../api/admin-http.ts'
import { useCallAdmin } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { Failed } from '../kit/failed.tsx'
import { EmptyLine } from '../kit/show/empty-line.tsx'
import { Section } from '../kit/show/section.tsx'
import { TimelineRows } from '../kit/show/timeline-row.tsx'
import type { TimelinePage } from './entry.ts'
import { timelineTexts } from './texts.ts'
import { TimelineItem } from './timeline-item.tsx'

const PAGE_ITEMS = '15'

/** All events of a user, in one list, the newest first. */
export function UserTimeline({ userId }: { userId: string }) {
  const texts = useTexts(timelineTexts)
  const { data, error, isPending, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = useTimeline(userId)
  const entries = data?.pages.flatMap((page) => page.data) ?? []
  return (
    <Section title={texts.title}>
      {error && <Failed error={error} onRetry={refetch} />}
      {isPending && <LinearProgress aria-label={texts.loading} />}
      {data && entries.length === 0 && <EmptyLine>{texts.empty}</EmptyLine>}
      {entries.length > 0 && (
        <TimelineRows label={texts.title} isBusy={isFetchingNextPage}>
          {entries.map((entry) => (
            <TimelineItem key={`${entry.kind} ${entry.id}`} entry={entry} />
          ))}
        </TimelineRows>
      )}
      {hasNextPage && (
        <Button onClick={() => void fetchNextPage()} loading={isFetchingNextPage} sx={{ mt: 1 }}>
          {texts.more}
        </Button>
      )}
    </Section>
  )
}

function useTimeline(userId: string) {
  const callAdmin = useCallAdmin()
  return useInfiniteQuery({
    queryKey: ['users', 'timeline', userId],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ limit: PAGE_ITEMS, ...(pageParam !== '' && { cursor: pageParam }) })
      return callAdmin<TimelinePage>({ path: `${adminPath('users', userId, 'timeline')}?${query}`, signal })
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}

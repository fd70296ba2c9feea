import { Box, Button, LinearProgress } from '@mui/material'
import { useInfiniteQuery } from '@tanstack/react-query'
import { adminPath } from '../api/admin-http.ts'
import { useCallAdmin } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { Empty } from '../kit/empty.tsx'
import { Failed } from '../kit/failed.tsx'
import { Section } from '../kit/section.tsx'
import type { HappeningPage } from './happening.ts'
import { timelineTexts } from './texts.ts'
import { TimelineEntry } from './timeline-entry.tsx'

const PAGE_ITEMS = '15'

/** All that happened to a person, in one list, the newest first. */
export function PersonTimeline({ userId }: { userId: string }) {
  const texts = useTexts(timelineTexts)
  const { data, error, isPending, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = useTimeline(userId)
  const happenings = data?.pages.flatMap((page) => page.data) ?? []
  return (
    <Section title={texts.title}>
      {error && <Failed error={error} onRetry={refetch} />}
      {isPending && <LinearProgress aria-label={texts.loading} />}
      {data && happenings.length === 0 && <Empty title={texts.empty} />}
      {happenings.length > 0 && (
        <Box component="ol" aria-label={texts.title} aria-busy={isFetchingNextPage} sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {happenings.map((happening) => (
            <TimelineEntry key={`${happening.kind} ${happening.id}`} happening={happening} />
          ))}
        </Box>
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
      return callAdmin<HappeningPage>({ path: `${adminPath('users', userId, 'timeline')}?${query}`, signal })
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}

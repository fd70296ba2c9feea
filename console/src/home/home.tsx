import { Box, Skeleton, Stack, Typography } from '@mui/material'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useCallAdmin, useMe, useSetTimeZone } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { Failed } from '../kit/failed.tsx'
import { PageHeading } from '../kit/page-heading.tsx'
import { Section } from '../kit/show/section.tsx'
import { AlertList } from './alert-list.tsx'
import { FirstSteps } from './first-steps.tsx'
import { readMonth } from './month.ts'
import { MonthChoice } from './month-choice.tsx'
import type { Overview } from './overview.ts'
import type { MonthReport } from './report.ts'
import { homeTexts } from './texts.ts'

const MonthFigures = lazy(async () => ({ default: (await import('./figures/month-figures.tsx')).MonthFigures }))

/** Sums that are still counted are asked for again after this time. */
const COUNTING_MS = 5_000
/** As many as there are figures. */
const CARDS = 9

/** The first page: alerts, and the figures of a month. On a new installation, the first task. */
export function Home() {
  const texts = useTexts(homeTexts)
  const { name } = useMe()
  const [search, setSearch] = useSearchParams()
  const month = readMonth(search.get('month'))
  const overview = useOverview(month)
  const report = useReport(month)
  const pair = usePair(overview.data, report.data)
  const { data, error } = overview
  return (
    <>
      <PageHeading title={texts.title} />
      <Typography sx={{ mt: -1.5, mb: 2.5 }}>{texts.greeting(name)}</Typography>
      {error && <Failed error={error} onRetry={overview.refetch} />}
      {report.error && <Failed error={report.error} onRetry={report.refetch} />}
      {!data && !error && <Waiting />}
      {data?.products === 0 && <FirstSteps />}
      {data && (
        <Section title={texts.alerts}>
          <AlertList items={data.alerts} />
        </Section>
      )}
      {data && (
        <Stack
          direction="row"
          spacing={1}
          useFlexGap
          sx={{ mb: 1, flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between' }}
        >
          <Typography variant="h2">{texts.figures}</Typography>
          <MonthChoice
            month={month ?? newestOf(data)}
            newest={newestOf(data)}
            onChoose={(one) => setSearch(one === newestOf(data) ? {} : { month: one })}
          />
        </Stack>
      )}
      <Suspense fallback={<Cards />}>{data && (report.data && pair ? <MonthFigures {...pair} /> : !report.error && <Cards />)}</Suspense>
    </>
  )
}

/** The month of today, in the operator's zone. */
function newestOf({ today }: Overview): string {
  return today.slice(0, 7)
}

/** The room of all of it. Nothing that is shown by then is moved by what comes. */
function Waiting() {
  return (
    <>
      <Skeleton variant="rounded" height={112} sx={{ mb: 2.5 }} />
      <Skeleton height={48} sx={{ mb: 1, maxWidth: 240 }} />
      <Cards />
    </>
  )
}

/** The room of the figures, until they are there. */
function Cards() {
  const texts = useTexts(homeTexts)
  return (
    <Box role="progressbar" aria-label={texts.loading}>
      <Skeleton height={40} sx={{ mb: 2, maxWidth: 480 }} />
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr', lg: '1fr 1fr 1fr' } }}>
        {Array.from({ length: CARDS }, (_, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
          <Skeleton key={place} variant="rounded" height={268} />
        ))}
      </Box>
    </Box>
  )
}

interface Pair {
  overview: Overview
  report: MonthReport
}

/** The figures of one month, whole: those of the old month stay until both parts of the other one are there. */
function usePair(overview: Overview | undefined, report: MonthReport | undefined): Pair | undefined {
  const [pair, setPair] = useState<Pair>()
  const isWhole = overview !== undefined && report !== undefined && overview.month.month === report.from.slice(0, 7)
  if (isWhole && (pair?.overview !== overview || pair.report !== report)) setPair({ overview, report })
  return pair
}

/** The old content stays until the other month is loaded. Another administrator may have set the time zone since the console was opened. */
function useOverview(month: string | undefined) {
  const callAdmin = useCallAdmin()
  const setTimeZone = useSetTimeZone()
  return useQuery({
    queryKey: ['overview', month],
    queryFn: async ({ signal }) => {
      const overview = await callAdmin<Overview>({ path: `overview?month=${month ?? 'now'}`, signal })
      setTimeZone(overview.time_zone)
      return overview
    },
    placeholderData: keepPreviousData,
  })
}

function useReport(month: string | undefined) {
  const callAdmin = useCallAdmin()
  return useQuery({
    queryKey: ['overview', 'report', month],
    queryFn: ({ signal }) => callAdmin<MonthReport>({ path: `reports/monthly${month === undefined ? '' : `?month=${month}`}`, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.is_counting ? COUNTING_MS : false),
  })
}

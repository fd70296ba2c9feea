import { LinearProgress, Stack, ToggleButton, ToggleButtonGroup, Typography } from '@mui/material'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useCallAdmin, useMe } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { Failed } from '../kit/failed.tsx'
import { PageHeading } from '../kit/page-heading.tsx'
import { Section } from '../kit/show/section.tsx'
import { AlertList } from './alert-list.tsx'
import { FirstSteps } from './first-steps.tsx'
import { type Overview, PERIODS } from './overview.ts'
import { homeTexts } from './texts.ts'

const Charts = lazy(async () => ({ default: (await import('./charts.tsx')).Charts }))

/** The first page: alerts, and the counts of days. On a new installation, the first task. */
export function Home() {
  const texts = useTexts(homeTexts)
  const { name } = useMe()
  const [days, setDays] = useState<number>(30)
  const { data, error, refetch } = useOverview(days)
  return (
    <>
      <PageHeading title={texts.title} />
      <Typography sx={{ mt: -1.5, mb: 2.5 }}>{texts.greeting(name)}</Typography>
      {error && <Failed error={error} onRetry={refetch} />}
      {data?.products === 0 && <FirstSteps />}
      {data && (
        <Section title={texts.alerts}>
          <AlertList items={data.alerts} />
        </Section>
      )}
      <Stack
        direction="row"
        spacing={1}
        useFlexGap
        sx={{ mb: 1.5, flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between' }}
      >
        <Typography variant="h2">{texts.activity}</Typography>
        <ToggleButtonGroup
          exclusive
          size="small"
          value={days}
          onChange={(_event, chosen: number | null) => chosen !== null && setDays(chosen)}
          aria-label={texts.period}
        >
          {PERIODS.map((period) => (
            <ToggleButton key={period} value={period} sx={{ textTransform: 'none', px: 1.5 }}>
              {texts.days(period)}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      </Stack>
      <Suspense fallback={<LinearProgress aria-label={texts.loading} />}>
        {data ? <Charts days={data.days} /> : !error && <LinearProgress aria-label={texts.loading} />}
      </Suspense>
    </>
  )
}

/** The old content stays until the other period is loaded. */
function useOverview(days: number) {
  const callAdmin = useCallAdmin()
  return useQuery({
    queryKey: ['overview', days],
    queryFn: ({ signal }) => callAdmin<Overview>({ path: `overview?days=${days}`, signal }),
    placeholderData: keepPreviousData,
  })
}

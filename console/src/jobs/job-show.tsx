import { Alert, Box, Typography } from '@mui/material'
import { useNotify, useRedirect } from 'react-admin'
import { adminPath } from '../api/admin-http.ts'
import { useMay, useMe } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ActionButton } from '../kit/form/action-button.tsx'
import { CopyText } from '../kit/show/copy-text.tsx'
import { Facts } from '../kit/show/facts.tsx'
import { Section } from '../kit/show/section.tsx'
import { ShowPage } from '../kit/show/show-page.tsx'
import { Time } from '../kit/show/values.tsx'
import { labelOf } from '../payments/label-of.ts'
import type { Job } from './job.ts'
import { JobChip } from './job-chip.tsx'
import { jobTexts } from './texts.ts'

/** One job: why it is not done, and buttons to retry or remove it. */
export function JobShow() {
  const texts = useTexts(jobTexts)
  const mayManage = useMay('jobs:write')
  return (
    <ShowPage<Job>
      back="/jobs"
      title={({ kind }) => labelOf(texts.kinds, kind)}
      actions={(job) => mayManage && <Actions key={job.state} job={job} />}
    >
      {(job) => (
        <>
          {job.state === 'dead' && (
            <Alert severity="warning" sx={{ mb: 2.5 }}>
              {texts.deadHint}
            </Alert>
          )}
          <About job={job} />
          <Section title={texts.fault}>
            {job.last_error === null ? (
              <Typography color="textSecondary">{texts.noFault}</Typography>
            ) : (
              <Box component="code" lang="en" sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {job.last_error}
              </Box>
            )}
          </Section>
        </>
      )}
    </ShowPage>
  )
}

function Actions({ job: { id, kind, state } }: { job: Job }) {
  const texts = useTexts(jobTexts)
  const { role } = useMe()
  const notify = useNotify()
  const redirect = useRedirect()
  const leave = (labels: string) => {
    notify(labels, { type: 'info' })
    redirect('/jobs')
  }
  return (
    <>
      <ActionButton
        label={texts.retry}
        request={{ path: adminPath('jobs', id, 'retry') }}
        explains={texts.retryExplains}
        refusals={texts.refusals}
        // A job that succeeds is gone in a moment.
        onDone={() => leave(texts.retried(1))}
      />
      {(role === 'owner' || state === 'dead') && (
        <ActionButton
          label={texts.drop}
          tone="danger"
          reason="required"
          request={{ path: adminPath('jobs', id), method: 'DELETE' }}
          explains={kind === 'fetch_payment' && state !== 'dead' ? texts.dropQuestionExplains : texts.dropExplains}
          refusals={texts.refusals}
          onDone={() => leave(texts.dropped)}
        />
      )}
    </>
  )
}

function About({ job: { id, state, attempts, created_at, run_at, dead_at } }: { job: Job }) {
  const texts = useTexts(jobTexts)
  const isDead = state === 'dead'
  return (
    <Section title={texts.about}>
      <Facts
        facts={[
          [texts.state, <JobChip key="state" state={state} />],
          [texts.attempts, attempts],
          [texts.createdAt, <Time key="created" at={created_at} />],
          [isDead ? texts.lastRun : texts.runAt, <Time key="run" at={run_at} />],
          [texts.deadAt, dead_at && <Time key="dead" at={dead_at} />],
          [texts.id, <CopyText key="id" text={id} label={texts.id} />],
        ]}
      />
    </Section>
  )
}

import { useNotify, useRefresh } from 'react-admin'
import { adminPath } from '../api/admin-http.ts'
import { useMay } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ActionButton } from '../kit/form/action-button.tsx'
import { ListPage } from '../kit/list/list-page.tsx'
import { Absent, Time } from '../kit/show/values.tsx'
import { labelOf } from '../payments/label-of.ts'
import { type Job, jobPath } from './job.ts'
import { JobChip } from './job-chip.tsx'
import { jobTexts } from './texts.ts'

/** Pending jobs and dead letters, the oldest first. */
export function JobList() {
  const texts = useTexts(jobTexts)
  const mayRetry = useMay('jobs:write')
  return (
    <ListPage<Job>
      title={texts.title}
      columns={[
        { label: texts.kind, value: ({ kind }) => labelOf(texts.kinds, kind) },
        { label: texts.state, value: ({ state }) => <JobChip state={state} /> },
        { label: texts.attempts, value: ({ attempts }) => attempts },
        { label: texts.fault, value: ({ last_error }) => (last_error === null ? <Absent /> : <span lang="en">{last_error}</span>) },
        { label: texts.runAt, value: ({ run_at, state }) => (state === 'dead' ? <Absent /> : <Time at={run_at} />) },
        { label: texts.createdAt, value: ({ created_at }) => <Time at={created_at} />, sortBy: 'created_at' },
      ]}
      filters={[
        {
          name: 'state',
          label: texts.state,
          kind: 'choice',
          choices: [
            { value: 'dead', label: texts.onlyDead },
            { value: 'living', label: texts.onlyLiving },
          ],
        },
      ]}
      sort={{ field: 'created_at', order: 'ASC' }}
      pathOf={({ id }) => jobPath(id)}
      empty={texts.empty}
      actions={mayRetry && <RetryAll />}
    />
  )
}

function RetryAll() {
  const texts = useTexts(jobTexts)
  const notify = useNotify()
  const refresh = useRefresh()
  return (
    <ActionButton<{ retried: number }>
      label={texts.retryAll}
      request={{ path: adminPath('jobs', 'retry-dead') }}
      explains={texts.retryAllExplains}
      onDone={({ retried }) => {
        notify(texts.retried(retried), { type: 'info' })
        refresh()
      }}
    />
  )
}

import { Typography } from '@mui/material'
import { useTexts } from '../i18n/use-texts.ts'
import type { Column } from '../kit/list/columns.ts'
import { Time } from '../kit/show/values.tsx'
import { labelOf } from '../payments/label-of.ts'
import { deviceLabel } from './device.ts'
import type { FailedSignIn } from './failed-sign-in.ts'
import { failedSignInTexts } from './failed-sign-in-texts.ts'
import { failureTexts } from './failure-texts.ts'
import { sessionTexts } from './texts.ts'

/** The columns of failed sign-ins but their account. */
export function useFailedSignInColumns(): ReadonlyArray<Column<FailedSignIn>> {
  const texts = useTexts(failedSignInTexts)
  const reasons = useTexts(failureTexts)
  return [
    { label: texts.reason, value: ({ kind, provider }) => <Two first={labelOf(reasons, kind)} second={provider} /> },
    { label: texts.count, value: ({ count }) => count },
    { label: texts.from, value: (failed) => <Origin failed={failed} /> },
    { label: texts.at, value: ({ failed_at }) => <Time at={failed_at} />, sortBy: 'failed_at' },
  ]
}

function Origin({ failed: { user_agent, ip } }: { failed: FailedSignIn }) {
  const { unknownDevice } = useTexts(sessionTexts)
  return <Two first={<span title={user_agent}>{deviceLabel(user_agent) || unknownDevice}</span>} second={ip} />
}

function Two({ first, second }: { first: React.ReactNode; second: string | null }) {
  return (
    <>
      {first}
      {second !== null && (
        <Typography component="div" variant="body2" color="textSecondary">
          {second}
        </Typography>
      )}
    </>
  )
}

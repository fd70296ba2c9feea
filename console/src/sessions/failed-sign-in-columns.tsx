import { useTexts } from '../i18n/use-texts.ts'
import type { Column } from '../kit/list/columns.ts'
import { TwoLines } from '../kit/show/two-lines.tsx'
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
    { label: texts.reason, value: ({ kind, provider }) => <TwoLines first={labelOf(reasons, kind)} second={provider} /> },
    { label: texts.count, value: ({ count }) => count },
    { label: texts.from, value: (failed) => <Origin failed={failed} /> },
    { label: texts.at, value: ({ failed_at }) => <Time at={failed_at} />, sortBy: 'failed_at' },
  ]
}

function Origin({ failed: { user_agent, ip } }: { failed: FailedSignIn }) {
  const { unknownDevice } = useTexts(sessionTexts)
  return <TwoLines first={<span title={user_agent}>{deviceLabel(user_agent) || unknownDevice}</span>} second={ip} />
}

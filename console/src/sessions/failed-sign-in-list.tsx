import { useMe } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import type { Filter } from '../kit/list/list-filters.tsx'
import { ListPage } from '../kit/list/list-page.tsx'
import { Address } from '../kit/show/values.tsx'
import { userPath } from '../users/user.ts'
import type { FailedSignIn } from './failed-sign-in.ts'
import { useFailedSignInColumns } from './failed-sign-in-columns.tsx'
import { failedSignInTexts } from './failed-sign-in-texts.ts'
import { failureTexts } from './failure-texts.ts'

/** Counted before there were reasons: no list has them. */
const { earlier: _earlier, ...listedKinds } = failureTexts.en

/** The sign-ins that were refused: of whom, why and from where. */
export function FailedSignInList() {
  const texts = useTexts(failedSignInTexts)
  const reasons = useTexts(failureTexts)
  const columns = useFailedSignInColumns()
  const maySeeAddresses = useMe().role !== 'viewer'
  const filters: readonly Filter[] = [
    {
      name: 'kind',
      label: texts.reason,
      kind: 'choice',
      choices: Object.keys(listedKinds).map((kind) => ({ value: kind, label: reasons[kind] ?? kind })),
    },
    {
      name: 'of_users',
      label: texts.account,
      kind: 'choice',
      choices: [{ value: 'true', label: texts.ofUsers }],
    },
    ...(maySeeAddresses ? [{ name: 'ip', label: texts.ip, kind: 'text' } as const] : []),
    { name: 'since', label: texts.since, kind: 'from' },
    { name: 'until', label: texts.until, kind: 'until' },
  ]
  return (
    <ListPage<FailedSignIn>
      title={texts.title}
      about={texts.about}
      columns={[{ label: texts.account, value: ({ email }) => (email === null ? texts.noAccount : <Address text={email} />) }, ...columns]}
      filters={filters}
      sort={{ field: 'failed_at', order: 'DESC' }}
      pathOf={({ user_id }) => (user_id === null ? undefined : userPath(user_id))}
      empty={texts.empty}
    />
  )
}

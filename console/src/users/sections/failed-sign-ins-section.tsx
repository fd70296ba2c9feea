import { useMay } from '../../console-context.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { ListPart } from '../../kit/list/list-page.tsx'
import { Section } from '../../kit/show/section.tsx'
import type { FailedSignIn } from '../../sessions/failed-sign-in.ts'
import { useFailedSignInColumns } from '../../sessions/failed-sign-in-columns.tsx'
import { failedSignInTexts } from '../../sessions/failed-sign-in-texts.ts'
import type { UserDetails } from '../user.ts'

/** Why a user does not come in, or who tries to come in as them. */
export function FailedSignInsSection({ user }: { user: UserDetails }) {
  const texts = useTexts(failedSignInTexts)
  const columns = useFailedSignInColumns()
  if (!useMay('sessions:read')) return null
  return (
    <Section title={texts.title}>
      <ListPart<FailedSignIn>
        resource="failed-sign-ins"
        filter={{ user_id: user.id }}
        label={texts.title}
        columns={columns}
        sort={{ field: 'failed_at', order: 'DESC' }}
        empty={texts.empty}
      />
    </Section>
  )
}

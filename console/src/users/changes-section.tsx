import type { AuditEntry } from '../audit/audit-entry.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { CopyText } from '../kit/copy-text.tsx'
import { ListPart } from '../kit/list-page.tsx'
import { Section } from '../kit/section.tsx'
import { kitTexts } from '../kit/texts.ts'
import { Absent, Time } from '../kit/values.tsx'
import { userTexts } from './texts.ts'
import type { UserDetails } from './user.ts'

/** What was done to a person, and by whom. */
export function UserChanges({ user }: { user: UserDetails }) {
  const texts = useTexts(userTexts)
  const kit = useTexts(kitTexts)
  return (
    <Section title={texts.changes}>
      <ListPart<AuditEntry>
        resource="audit"
        filter={{ target: user.id }}
        label={texts.changes}
        columns={[
          { label: texts.deed, value: ({ action }) => action },
          { label: texts.at, value: ({ at }) => <Time at={at} /> },
          { label: texts.actor, value: ({ actor }) => <CopyText text={actor} label={texts.actor} short={24} /> },
          { label: kit.reason, value: ({ reason }) => reason ?? <Absent /> },
        ]}
        sort={{ field: 'at', order: 'DESC' }}
        pathOf={({ id }) => `/audit/${encodeURIComponent(id)}/show`}
        empty={texts.noChanges}
      />
    </Section>
  )
}

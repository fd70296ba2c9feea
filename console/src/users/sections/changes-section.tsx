import { actionLabels } from '../../audit/actions/action-labels.ts'
import { Actor } from '../../audit/actor.tsx'
import type { AuditEntry } from '../../audit/audit-entry.ts'
import { Reason } from '../../audit/reason.tsx'
import { useTexts } from '../../i18n/use-texts.ts'
import { ListPart } from '../../kit/list/list-page.tsx'
import { Section } from '../../kit/show/section.tsx'
import { Time } from '../../kit/show/values.tsx'
import { kitTexts } from '../../kit/texts.ts'
import { labelOf } from '../../payments/label-of.ts'
import { userTexts } from '../texts.ts'
import type { UserDetails } from '../user.ts'

/** The actions on a user, with their actors. */
export function UserChanges({ user }: { user: UserDetails }) {
  const texts = useTexts(userTexts)
  const kit = useTexts(kitTexts)
  const actions = useTexts(actionLabels)
  return (
    <Section title={texts.changes}>
      <ListPart<AuditEntry>
        resource="audit"
        filter={{ target: user.id }}
        label={texts.changes}
        columns={[
          { label: texts.action, value: ({ action }) => labelOf(actions, action) },
          { label: texts.at, value: ({ at }) => <Time at={at} /> },
          { label: texts.actor, value: ({ actor }) => <Actor actor={actor} /> },
          { label: kit.reason, value: ({ action, reason }) => <Reason action={action} reason={reason} /> },
        ]}
        sort={{ field: 'at', order: 'DESC' }}
        pathOf={({ id }) => `/audit/${encodeURIComponent(id)}/show`}
        empty={texts.noChanges}
      />
    </Section>
  )
}

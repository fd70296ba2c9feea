import { useTexts } from '../i18n/use-texts.ts'
import { CopyText } from '../kit/show/copy-text.tsx'
import { Facts } from '../kit/show/facts.tsx'
import { Section } from '../kit/show/section.tsx'
import { ShowPage } from '../kit/show/show-page.tsx'
import { Time } from '../kit/show/values.tsx'
import { labelOf } from '../payments/label-of.ts'
import { actionLabels } from './actions/action-labels.ts'
import { Actor } from './actor.tsx'
import type { AuditEntry } from './audit-entry.ts'
import { ChangeSection } from './change/change-table.tsx'
import { Reason } from './reason.tsx'
import { Target } from './target.tsx'
import { auditTexts } from './texts.ts'

/** One action, with the values before and after. */
export function AuditShow() {
  const texts = useTexts(auditTexts)
  const labels = useTexts(actionLabels)
  return (
    <ShowPage<AuditEntry> back="/audit" title={({ action }) => labelOf(labels, action)}>
      {({ id, at, actor, action, target, reason, ip, ...entry }) => (
        <>
          <Section title={texts.entry}>
            <Facts
              facts={[
                [texts.at, <Time key="at" at={at} />],
                [texts.action, <code key="action">{action}</code>],
                [texts.actor, <Actor key="actor" actor={actor} />],
                [texts.target, <Target key="target" entry={{ action, target, ...entry }} />],
                [texts.reason, reason && <Reason key="reason" action={action} reason={reason} />],
                [texts.ip, ip],
                [texts.id, <CopyText key="id" text={id} label={texts.id} />],
              ]}
            />
          </Section>
          <ChangeSection entry={entry} />
        </>
      )}
    </ShowPage>
  )
}

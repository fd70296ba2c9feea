import { useTexts } from '../i18n/use-texts.ts'
import { CopyText } from '../kit/copy-text.tsx'
import { Facts } from '../kit/facts.tsx'
import { Section } from '../kit/section.tsx'
import { ShowPage } from '../kit/show-page.tsx'
import { Absent, Json, Time } from '../kit/values.tsx'
import type { AuditEntry } from './audit-entry.ts'
import { auditTexts } from './texts.ts'

/** One deed: what it found and what it left. */
export function AuditShow() {
  const texts = useTexts(auditTexts)
  return (
    <ShowPage<AuditEntry> back="/audit" title={({ action }) => action}>
      {({ id, at, actor, action, target, reason, ip, before, after }) => (
        <>
          <Section title={texts.deed}>
            <Facts
              facts={[
                [texts.at, <Time key="at" at={at} />],
                [texts.action, action],
                [texts.actor, <CopyText key="actor" text={actor} label={texts.actor} />],
                [texts.target, <CopyText key="target" text={target} label={texts.target} />],
                [texts.reason, reason ?? <Absent key="reason" />],
                [texts.ip, ip ?? <Absent key="ip" />],
                [texts.id, <CopyText key="id" text={id} label={texts.id} />],
              ]}
            />
          </Section>
          <Section title={texts.before}>
            <Json value={before} label={texts.before} />
          </Section>
          <Section title={texts.after}>
            <Json value={after} label={texts.after} />
          </Section>
        </>
      )}
    </ShowPage>
  )
}

import { useTexts } from '../../i18n/use-texts.ts'
import { CopyText } from '../../kit/show/copy-text.tsx'
import { Facts } from '../../kit/show/facts.tsx'
import { formatPhone } from '../../kit/show/formats.ts'
import { Section } from '../../kit/show/section.tsx'
import { Time } from '../../kit/show/values.tsx'
import { usePlanName } from '../../kit/use-plan-name.ts'
import { userTexts } from '../texts.ts'
import type { UserDetails } from '../user.ts'

/** The data of a user. */
export function ProfileSection({ user }: { user: UserDetails }) {
  const texts = useTexts(userTexts)
  const planName = usePlanName()
  return (
    <Section title={texts.profile}>
      <Facts
        facts={[
          [texts.email, <CopyText key="email" text={user.email} label={texts.email} />],
          [texts.verifiedAt, user.verified_at === null ? texts.notVerified : <Time key="verified" at={user.verified_at} />],
          [texts.phone, user.phone && formatPhone(user.phone)],
          [texts.taxId, user.tax_id_readable ? user.tax_id : texts.taxIdUnreadable],
          [texts.company, user.company_name],
          [texts.rank, user.rank_name],
          [texts.plan, user.plan_slug && planName(user.plan_slug)],
          [texts.createdAt, <Time key="created" at={user.created_at} />],
          [texts.id, <CopyText key="id" text={user.id} label={texts.id} />],
          ...(user.external_id === null
            ? []
            : [[texts.externalId, <CopyText key="external" text={user.external_id} label={texts.externalId} />] as const]),
        ]}
      />
    </Section>
  )
}

import { Stack } from '@mui/material'
import { useTexts } from '../i18n/use-texts.ts'
import { StatusChip } from '../kit/show/status-chip.tsx'
import { userTexts } from './texts.ts'
import type { User } from './user.ts'

/** Particular facts about a user, in words. The usual ones are not shown. */
export function UserBadges({ user }: { user: User }) {
  const texts = useTexts(userTexts)
  const { badges } = texts
  return (
    <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', gap: 0.5 }}>
      {user.disabled_at !== null && <StatusChip tone="bad" label={badges.locked} />}
      {user.deletion_due_at !== null && <StatusChip tone="warning" label={badges.leaving} />}
      {user.verified_at === null && <StatusChip tone="warning" label={badges.unverified} />}
      {user.role !== null && <StatusChip tone="neutral" label={texts.roles[user.role]} />}
      {user.is_producer && <StatusChip tone="good" label={badges.producer} />}
      {user.beta !== null && <BetaBadge accepted={user.beta.nda_accepted_at} />}
    </Stack>
  )
}

/** Whether anything is. */
export function isParticular({ disabled_at, deletion_due_at, verified_at, role, is_producer, beta }: User): boolean {
  return disabled_at !== null || deletion_due_at !== null || verified_at === null || role !== null || is_producer || beta !== null
}

function BetaBadge({ accepted }: { accepted: string | null }) {
  const { badges } = useTexts(userTexts)
  return accepted === null ? <StatusChip tone="warning" label={badges.betaWaiting} /> : <StatusChip tone="good" label={badges.beta} />
}

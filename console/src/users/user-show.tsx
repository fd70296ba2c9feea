import { Alert, Box, Button, Stack } from '@mui/material'
import { Link } from 'react-router-dom'
import { useTexts } from '../i18n/use-texts.ts'
import { Section } from '../kit/show/section.tsx'
import { ShowPage } from '../kit/show/show-page.tsx'
import { Time } from '../kit/show/values.tsx'
import { useIsWide } from '../kit/use-is-wide.ts'
import { UserTimeline } from '../timeline/user-timeline.tsx'
import { AccessSection } from './access/access-section.tsx'
import { CorrectButton } from './actions/correct-button.tsx'
import { ImpersonateButton } from './actions/impersonate-button.tsx'
import { LockButton } from './actions/lock-button.tsx'
import { useMayActOn } from './actions/use-may-act-on.ts'
import { UserChanges } from './sections/changes-section.tsx'
import { ConsentsSection } from './sections/consents-section.tsx'
import { FailedSignInsSection } from './sections/failed-sign-ins-section.tsx'
import { PrivacySection } from './sections/privacy-section.tsx'
import { ProfileSection } from './sections/profile-section.tsx'
import { PurchasesSection } from './sections/purchases-section.tsx'
import { SessionsSection } from './sections/sessions-section.tsx'
import { SignInMethodsSection } from './sections/sign-in-methods-section.tsx'
import { userTexts } from './texts.ts'
import type { UserDetails } from './user.ts'
import { UserBadges } from './user-badges.tsx'

/** Two columns: the history, and the user's data. On smaller screens access comes first, then the user's data, then the rest. */
const columns = {
  display: 'grid',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 22rem' },
  // The side column spans both rows and must not make the first one higher.
  gridTemplateRows: { lg: 'auto 1fr' },
  columnGap: 2.5,
} as const

/** One user: all data that support needs, access first, and the possible actions. */
export function UserShow() {
  const isWide = useIsWide()
  return (
    <ShowPage<UserDetails> back="/users" title={({ name }) => name} actions={(user) => !isWide && <Actions user={user} />}>
      {(user) => (
        <>
          <Box sx={{ mt: -1.5, mb: 2 }}>
            <UserBadges user={user} />
          </Box>
          <Warnings user={user} />
          <Box sx={columns}>
            <Box>
              <AccessSection user={user} />
            </Box>
            <Box sx={{ gridColumn: { lg: 2 }, gridRow: { lg: '1 / span 2' } }}>
              {isWide && <ActionsSection user={user} />}
              <ProfileSection user={user} />
              <SignInMethodsSection user={user} />
              {isWide && <Rights user={user} />}
            </Box>
            <Box>
              <UserTimeline userId={user.id} />
              <PurchasesSection user={user} />
              <SessionsSection user={user} />
              <FailedSignInsSection user={user} />
              <UserChanges user={user} />
              {!isWide && <Rights user={user} />}
            </Box>
          </Box>
        </>
      )}
    </ShowPage>
  )
}

function Rights({ user }: { user: UserDetails }) {
  return (
    <>
      <ConsentsSection user={user} />
      <PrivacySection user={user} />
    </>
  )
}

function ActionsSection({ user }: { user: UserDetails }) {
  const texts = useTexts(userTexts)
  const mayAct = useMayActOn(user)
  if (!mayAct) return undefined
  return (
    <Section title={texts.actions}>
      <Stack data-actions direction="row" useFlexGap sx={{ flexWrap: 'wrap', gap: 1 }}>
        <Actions user={user} />
      </Stack>
    </Section>
  )
}

function Actions({ user }: { user: UserDetails }) {
  const texts = useTexts(userTexts)
  const mayAct = useMayActOn(user)
  if (!mayAct) return undefined
  return (
    <>
      <Button component={Link} to={`/users/${encodeURIComponent(user.id)}`} variant="outlined">
        {texts.edit}
      </Button>
      <CorrectButton user={user} />
      <ImpersonateButton user={user} />
      <LockButton user={user} />
    </>
  )
}

function Warnings({ user: { disabled_at, deletion_due_at } }: { user: UserDetails }) {
  const texts = useTexts(userTexts)
  return (
    <>
      {disabled_at !== null && (
        <Alert severity="error" sx={{ mb: 2 }}>
          {texts.lockedSince} <Time at={disabled_at} />
        </Alert>
      )}
      {deletion_due_at !== null && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          {texts.leavesAt} <Time at={deletion_due_at} />
        </Alert>
      )}
    </>
  )
}

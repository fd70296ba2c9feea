import { Alert, Box, Button } from '@mui/material'
import { Link } from 'react-router-dom'
import { useTexts } from '../i18n/use-texts.ts'
import { ShowPage } from '../kit/show/show-page.tsx'
import { Time } from '../kit/show/values.tsx'
import { UserTimeline } from '../timeline/user-timeline.tsx'
import { CorrectButton } from './actions/correct-button.tsx'
import { ImpersonateButton } from './actions/impersonate-button.tsx'
import { LockButton } from './actions/lock-button.tsx'
import { useMayActOn } from './actions/use-may-act-on.ts'
import { UserChanges } from './sections/changes-section.tsx'
import { ConsentsSection } from './sections/consents-section.tsx'
import { PrivacySection } from './sections/privacy-section.tsx'
import { ProfileSection } from './sections/profile-section.tsx'
import { PurchasesSection } from './sections/purchases-section.tsx'
import { SessionsSection } from './sections/sessions-section.tsx'
import { SignInMethodsSection } from './sections/sign-in-methods-section.tsx'
import { userTexts } from './texts.ts'
import type { UserDetails } from './user.ts'
import { UserBadges } from './user-badges.tsx'

/** One user: all data that support needs, and the possible actions. */
export function UserShow() {
  return (
    <ShowPage<UserDetails> back="/users" title={({ name }) => name} actions={(user) => <Actions user={user} />}>
      {(user) => (
        <>
          <Box sx={{ mt: -1.5, mb: 2 }}>
            <UserBadges user={user} />
          </Box>
          <Warnings user={user} />
          <ProfileSection user={user} />
          <UserTimeline userId={user.id} />
          <SessionsSection user={user} />
          <SignInMethodsSection user={user} />
          <PurchasesSection user={user} />
          <ConsentsSection user={user} />
          <UserChanges user={user} />
          <PrivacySection user={user} />
        </>
      )}
    </ShowPage>
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

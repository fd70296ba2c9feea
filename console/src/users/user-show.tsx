import { Alert, Box, Button } from '@mui/material'
import { Link } from 'react-router-dom'
import { useTexts } from '../i18n/use-texts.ts'
import { ShowPage } from '../kit/show-page.tsx'
import { Time } from '../kit/values.tsx'
import { UserTimeline } from '../timeline/user-timeline.tsx'
import { UserChanges } from './changes-section.tsx'
import { ConsentsSection } from './consents-section.tsx'
import { CorrectButton } from './correct-button.tsx'
import { ImpersonateButton } from './impersonate-button.tsx'
import { LockButton } from './lock-button.tsx'
import { PrivacySection } from './privacy-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { PurchasesSection } from './purchases-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { SignInMethodsSection } from './sign-in-methods-section.tsx'
import { userTexts } from './texts.ts'
import { useMayActOn } from './use-may-act-on.ts'
import type { UserDetails } from './user.ts'
import { UserBadges } from './user-badges.tsx'

/** One person: all that somebody on the phone asks about, and what can be done for them. */
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

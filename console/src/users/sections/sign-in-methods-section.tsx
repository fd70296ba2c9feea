import { LinearProgress, Stack } from '@mui/material'
import type { ReactNode } from 'react'
import { adminPath } from '../../api/admin-http.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { Failed } from '../../kit/failed.tsx'
import { ActionButton } from '../../kit/form/action-button.tsx'
import { Facts } from '../../kit/show/facts.tsx'
import { Section } from '../../kit/show/section.tsx'
import { Time } from '../../kit/show/values.tsx'
import { kitTexts } from '../../kit/texts.ts'
import { useRead } from '../../kit/use-read.ts'
import { actionTexts } from '../actions/action-texts.ts'
import { SendLinkButton } from '../actions/send-link-button.tsx'
import { useMayActOn } from '../actions/use-may-act-on.ts'
import type { SignInMethods, UserDetails } from '../user.ts'
import { trustTexts } from './trust-texts.ts'

/** A user's sign-in methods, and help for a user who can't sign in. */
export function SignInMethodsSection({ user }: { user: UserDetails }) {
  const texts = useTexts(trustTexts)
  const { loading } = useTexts(kitTexts)
  const mayAct = useMayActOn(user)
  const { data, error, refetch } = useRead<SignInMethods>(adminPath('users', user.id, 'sign-in-methods'))
  const actions = mayAct && (
    <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', gap: 1 }}>
      <SendLinkButton user={user} />
      {(user.second_factor || user.passkeys > 0) && <RemoveFactors user={user} />}
    </Stack>
  )
  return (
    <Section title={texts.signInMethods} actions={actions}>
      {data && <Methods {...data} />}
      {error && <Failed error={error} onRetry={refetch} />}
      {!data && !error && <LinearProgress aria-label={loading} />}
    </Section>
  )
}

function Methods({ has_password, two_step_since, recovery_codes_left, passkeys, providers }: SignInMethods) {
  const texts = useTexts(trustTexts)
  const secondFactor =
    two_step_since === null ? (
      texts.noSecondFactor
    ) : (
      <>
        <Time at={two_step_since} /> · {texts.codesLeft(recovery_codes_left)}
      </>
    )
  const ofPasskeys = passkeys.map(({ name, created_at, last_used_at }) => (
    <div key={`${name} ${created_at}`}>
      {name} · {last_used_at === null ? texts.neverUsed : texts.lastUsed} {last_used_at !== null && <Time at={last_used_at} />}
    </div>
  ))
  const ofProviders = providers.map(({ provider, issuer, subject, email }) => (
    <div key={`${issuer} ${subject}`} title={issuer}>
      {provider ?? issuer} · {email ?? subject}
    </div>
  ))
  return (
    <Facts
      facts={[
        [texts.password, has_password ? texts.hasPassword : texts.noPassword],
        [texts.secondFactor, secondFactor],
        [texts.passkeys, orNone(ofPasskeys, texts.noPasskeys)],
        [texts.providers, orNone(ofProviders, texts.noProviders)],
      ]}
    />
  )
}

function orNone(items: readonly ReactNode[], none: string): ReactNode {
  return items.length === 0 ? none : items
}

function RemoveFactors({ user: { id, name } }: { user: UserDetails }) {
  const texts = useTexts(actionTexts)
  return (
    <ActionButton
      label={texts.removeFactors}
      tone="danger"
      reason="required"
      request={{ path: adminPath('users', id, 'remove-factors') }}
      explains={texts.removeFactorsExplains(name)}
      refusals={texts.refusals}
    />
  )
}

'use client'

import { SignInButton, SignOutButton, useSession } from '@portaria/client/react'

/** A client component: it hears of a sign-out in any tab, and looks again whenever the window is looked at. */
export function Who() {
  const session = useSession()
  if (session.status === 'loading') return <header />
  if (session.status === 'signed_out') {
    return (
      <header>
        <SignInButton>Sign in</SignInButton>
      </header>
    )
  }
  return (
    <header>
      <span>
        {session.user.name}
        {session.user.actorId !== null && ' (support is acting)'}
      </span>
      <SignOutButton>Sign out</SignOutButton>
    </header>
  )
}

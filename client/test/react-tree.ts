import { createElement, type ReactElement } from 'react'
import { jsx } from 'react/jsx-runtime'
import { type Session, SessionProvider, SignedIn, SignedOut, SignInButton, SignOutButton, type User, useSession } from '../src/react.ts'

/** Everything there is of `@portaria/client/react`, as the server and the browser render it. */
export function Tree({ initial }: { initial?: Session | undefined }): ReactElement {
  return createElement(
    SessionProvider,
    { initial },
    createElement(Status),
    jsx(SignedIn, { children: (user: User) => createElement('p', { id: 'name' }, user.name) }),
    createElement(SignedIn, null, createElement('p', { id: 'in' }, 'in')),
    createElement(SignedOut, null, createElement('p', { id: 'out' }, 'out')),
    createElement(SignInButton, { className: 'enter' }, 'Sign in'),
    createElement(SignInButton, { returnTo: '/there?a=1' }, 'Sign in to there'),
    createElement(SignOutButton, { returnTo: '/bye', scope: 'everywhere' }, 'Sign out'),
    createElement(SignOutButton, { onClick: (event) => event.preventDefault() }, 'Stay'),
  )
}

function Status(): ReactElement {
  const session = useSession()
  return createElement('output', null, session.status === 'signed_out' ? session.reason : session.status)
}

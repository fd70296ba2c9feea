import { session } from '@portaria/client/next'
import { SignedIn, SignedOut, SignInButton } from '@portaria/client/react'

/** A server component that everybody may see. What it shows of a user stands in `SignedIn`, so that it goes when they sign out in another tab. */
export default async function Page() {
  const found = await session()
  return (
    <>
      <h1>Caderno</h1>
      <SignedOut>
        <p>An app of the family, on the family’s own domain.</p>
        <SignInButton className="main">Sign in with Portaria</SignInButton>
      </SignedOut>
      <SignedIn>
        {found.status === 'signed_in' && <Facts user={found.user} />}
        <a className="main" href="/notes">
          My notes
        </a>
      </SignedIn>
    </>
  )
}

function Facts({ user: { name, email, planSlug, companyName, rankName, isProducer } }) {
  return (
    <dl>
      <dt>Name</dt>
      <dd>{name}</dd>
      <dt>Email</dt>
      <dd>{email}</dd>
      <dt>Plan</dt>
      <dd>{planSlug ?? 'none'}</dd>
      <dt>Company</dt>
      <dd>{companyName ?? 'none'}</dd>
      <dt>Rank</dt>
      <dd>{rankName ?? 'none'}</dd>
      <dt>Producer</dt>
      <dd>{isProducer ? 'yes' : 'no'}</dd>
    </dl>
  )
}

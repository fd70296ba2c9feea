import { requireUser } from '@portaria/client/next'

/** A page for users who are signed in. The guard stands in the page itself: whoever is not is sent to sign in, and comes back here. */
export default async function Notes() {
  const user = await requireUser('/notes')
  return (
    <>
      <h1>My notes</h1>
      <p>Nothing written yet, {user.name}.</p>
      <a href="/">Caderno</a>
    </>
  )
}

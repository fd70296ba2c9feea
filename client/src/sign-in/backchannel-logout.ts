import { json } from '../http/responses.ts'
import type { Sessions } from '../service/sessions.ts'
import type { Tokens } from '../service/tokens.ts'
import type { Settings } from '../settings.ts'

/**
 * `POST …/backchannel-logout`: Portaria reports that a session has ended (Back-Channel Logout 1.0). A session that is not known here is a
 * success too. Without keys to verify with it answers 503, and Portaria reports it again.
 */
export async function backchannelLogout(
  body: string | undefined,
  { onSignedOut }: Settings,
  { sessions, tokens }: { sessions: Sessions; tokens: Tokens },
): Promise<Response> {
  // The rest of a body that is too long is not read.
  if (body === undefined) return json(400, {}, { connection: 'close' })
  const ended = await tokens.verifyLogout(new URLSearchParams(body).getAll('logout_token').join())
  if (typeof ended === 'string') return json(ended === 'unconfirmed' ? 503 : 400, {})
  sessions.endBy(ended)
  await onSignedOut(ended)
  return json(200, {})
}

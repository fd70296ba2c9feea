import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ChangeFeed } from '../../changes/index.ts'
import { ownHref } from '../../pages/index.ts'
import { type LiveSessions, mintSessionToken, type Tokens } from '../../sessions/index.ts'
import { answerForm, type GuardDeps, type SignedInUser } from '../../sign-in/index.ts'
import { ownPicturePath, profileVersion, type User } from '../../users/index.ts'
import { ownProfilePage, type Saved } from './profile-page.ts'

export interface OwnProfileDeps extends GuardDeps {
  changes: ChangeFeed
  sessions: LiveSessions
  tokens: Tokens
}

export const PROFILE = '/account/profile'

type Shown = Partial<Parameters<typeof ownProfilePage>[1]> & Pick<Parameters<typeof ownProfilePage>[1], 'errors'>

export function answerProfile(
  request: FastifyRequest,
  reply: FastifyReply,
  user: User,
  shown: Shown,
  deps: OwnProfileDeps,
  { status = 200, problem }: { status?: 200 | 400 | 412; problem?: string } = {},
): FastifyReply {
  const own = { values: user, picture: ownPicturePath(user, deps.baseUrl), version: profileVersion(user) }
  const page = ownProfilePage(deps.responses.pageContext(request, reply, PROFILE), { ...own, ...shown })
  return answerForm(request, reply, { status, page, problem }, deps)
}

/** Back to the page, with a session cookie that already includes what was just saved. */
export async function profileSaved(reply: FastifyReply, owner: SignedInUser, saved: Saved, deps: OwnProfileDeps): Promise<FastifyReply> {
  const session = await deps.sessions.find(owner.session.id)
  if (session)
    reply.header('set-cookie', deps.cookies.session(await mintSessionToken(session, { tokens: deps.tokens, issuer: deps.baseUrl })))
  return deps.responses.redirect(reply, ownHref(PROFILE, { saved }))
}

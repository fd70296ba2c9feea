import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, formBody, queryOf } from '../../http/index.ts'
import { HOUR_MS } from '../../kit/index.ts'
import { askToSignIn, createGuards, type SignedInUser } from '../../sign-in/index.ts'
import { editProfile, MAX_PICTURE_BYTES, PICTURES } from '../../users/index.ts'
import { removePicture, savePicture } from './change-picture-routes.ts'
import { answerProfile, type OwnProfileDeps, PROFILE, profileSaved } from './profile-answer-routes.ts'
import type { Saved } from './profile-page.ts'
import { ownProfileSchema, removePictureSchema, saveOwnProfileSchema, savePictureSchema } from './profile-schemas.ts'
import { sendPicture } from './send-picture-routes.ts'

const PICTURE = `${PROFILE}/picture`
/** Changes of an account in an hour. Each is an entry of the audit log, and an event for apps. */
const MAX_EDITS = 30
/** More than a picture may have, so that one of a little more is answered with the reason. */
const UPLOAD_BYTES = 2.5 * MAX_PICTURE_BYTES

/** A user's own name, phone and company, and their picture. Pictures are served to whoever knows their address. */
export function ownProfileRoutes(scope: FastifyInstance, deps: OwnProfileDeps): void {
  const { requireUser } = createGuards(deps)
  scope.get(PROFILE, { schema: ownProfileSchema }, requireUser(show))
  scope.post(PROFILE, { schema: saveOwnProfileSchema }, requireUser(counted(save)))
  scope.post(`${PICTURE}/remove`, { schema: removePictureSchema }, requireUser(counted(removePicture)))
  const upload = { schema: savePictureSchema, bodyLimit: UPLOAD_BYTES, config: { bodyAs: 'bytes' } } as const
  scope.post(PICTURE, upload, requireUser(counted(savePicture)))
  scope.get<{ Params: { file: string } }>(`${PICTURES}:file`, { schema: { hide: true } }, (request, reply) =>
    sendPicture(request, reply, request.params.file, deps),
  )
}

type Handler = (request: FastifyRequest, reply: FastifyReply, owner: SignedInUser, deps: OwnProfileDeps) => Promise<FastifyReply>

function counted(handle: Handler): Handler {
  return async (request, reply, owner, deps) => {
    const counter = { key: `profile:${owner.user.id}`, most: MAX_EDITS, windowMs: HOUR_MS }
    const { within, retryAfterSeconds } = await deps.limits.count(counter, deps.now())
    if (within) return handle(request, reply, owner, deps)
    reply.header('retry-after', String(retryAfterSeconds))
    return deps.responses.refuse(request, reply, 429, 'muitas tentativas')
  }
}

const SAVED: readonly Saved[] = ['profile', 'picture', 'no_picture']

async function show(request: FastifyRequest, reply: FastifyReply, { user }: SignedInUser, deps: OwnProfileDeps): Promise<FastifyReply> {
  const saved = SAVED.find((one) => one === queryOf(request).get('saved'))
  return answerProfile(request, reply, user, { errors: {}, saved }, deps)
}

/** Of two tabs, the second is shown what the first has saved, beside what was typed (412). */
async function save(request: FastifyRequest, reply: FastifyReply, owner: SignedInUser, deps: OwnProfileDeps): Promise<FastifyReply> {
  const body = formBody(request)
  const text = (name: string) => body?.get(name) ?? ''
  const input = { fullName: text('full_name'), phone: text('phone'), companyName: text('company_name'), seen: text('version') }
  const saved = await editProfile(owner.user.id, input, { ...deps, ip: clientAddress(request) })
  if ('saved' in saved) return profileSaved(reply, owner, 'profile', deps)
  const user = await deps.users.findById(owner.user.id)
  if (!user || ('refusal' in saved && saved.refusal === 'gone')) return askToSignIn(request, reply, deps)
  const values = { name: input.fullName, phone: input.phone, companyName: input.companyName }
  if ('errors' in saved)
    return answerProfile(request, reply, user, { values, errors: saved.errors }, deps, { status: 400, problem: 'invalid' })
  const problem = saved.refusal
  return answerProfile(request, reply, user, { values, errors: {}, storedNow: user }, deps, { status: 412, problem })
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ChangeFeed } from '../../changes/index.ts'
import { clientAddress, formBody, queryOf } from '../../http/index.ts'
import { HOUR_MS } from '../../kit/index.ts'
import { ownHref } from '../../pages/index.ts'
import { type LiveSessions, mintSessionToken, type Tokens } from '../../sessions/index.ts'
import { answerForm, askToSignIn, createGuards, type GuardDeps, holdSignedInUser, type SignedInUser } from '../../sign-in/index.ts'
import {
  changePicture,
  editProfile,
  MAX_PICTURE_BYTES,
  ownPicturePath,
  PICTURES,
  type PictureRefusal,
  parsePicture,
  pictureStore,
  profileVersion,
  type User,
  userStore,
} from '../../users/index.ts'
import { ownProfilePage, type Saved } from './profile-page.ts'
import { ownProfileSchema, removePictureSchema, saveOwnProfileSchema, savePictureSchema } from './profile-schemas.ts'

export interface OwnProfileDeps extends GuardDeps {
  changes: ChangeFeed
  sessions: LiveSessions
  tokens: Tokens
}

const PROFILE = '/account/profile'
const PICTURE = `${PROFILE}/picture`
/** Changes of an account in an hour. Each is an entry of the audit log, and an event for apps. */
const MAX_EDITS = 30
/** More than a picture may have, so that one of a little more is answered with the reason. */
const UPLOAD_BYTES = 2.5 * MAX_PICTURE_BYTES
/** As with the images of looks: one that is opened by itself can do nothing. */
const CSP_PICTURE = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** A user's own name, phone and company, and their picture. Pictures are served to whoever knows their address. */
export function ownProfileRoutes(scope: FastifyInstance, deps: OwnProfileDeps): void {
  const { requireUser } = createGuards(deps)
  scope.get(PROFILE, { schema: ownProfileSchema }, requireUser(show))
  scope.post(PROFILE, { schema: saveOwnProfileSchema }, requireUser(counted(save)))
  scope.post(`${PICTURE}/remove`, { schema: removePictureSchema }, requireUser(counted(removePicture)))
  scope.register((uploads, _none, mounted) => {
    uploads.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    uploads.post(PICTURE, { schema: savePictureSchema, bodyLimit: UPLOAD_BYTES }, requireUser(counted(savePicture)))
    mounted()
  })
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
  return answer(request, reply, user, { errors: {}, saved }, deps)
}

type Shown = Partial<Parameters<typeof ownProfilePage>[1]> & Pick<Parameters<typeof ownProfilePage>[1], 'errors'>

function answer(
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

/** Of two tabs, the second is shown what the first has saved, beside what was typed (412). */
async function save(request: FastifyRequest, reply: FastifyReply, owner: SignedInUser, deps: OwnProfileDeps): Promise<FastifyReply> {
  const body = formBody(request)
  const text = (name: string) => body?.get(name) ?? ''
  const input = { fullName: text('full_name'), phone: text('phone'), companyName: text('company_name'), seen: text('version') }
  const saved = await editProfile(owner.user.id, input, { ...deps, ip: clientAddress(request) })
  if ('saved' in saved) return done(reply, owner, 'profile', deps)
  const user = await deps.users.findById(owner.user.id)
  if (!user || ('refusal' in saved && saved.refusal === 'gone')) return askToSignIn(request, reply, deps)
  const values = { name: input.fullName, phone: input.phone, companyName: input.companyName }
  if ('errors' in saved) return answer(request, reply, user, { values, errors: saved.errors }, deps, { status: 400, problem: 'invalid' })
  const problem = saved.refusal
  return answer(request, reply, user, { values, errors: {}, storedNow: user }, deps, { status: 412, problem })
}

async function savePicture(request: FastifyRequest, reply: FastifyReply, owner: SignedInUser, deps: OwnProfileDeps): Promise<FastifyReply> {
  const picture = parsePicture(await readUpload(request))
  if ('refusal' in picture) return refusePicture(request, reply, owner, picture.refusal, deps)
  return changeTo(request, reply, owner, picture, deps)
}

function removePicture(request: FastifyRequest, reply: FastifyReply, owner: SignedInUser, deps: OwnProfileDeps): Promise<FastifyReply> {
  return changeTo(request, reply, owner, undefined, deps)
}

/** Of two tabs the last one counts: a picture is replaced as a whole. */
async function changeTo(
  request: FastifyRequest,
  reply: FastifyReply,
  owner: SignedInUser,
  picture: Parameters<typeof changePicture>[2],
  deps: OwnProfileDeps,
): Promise<FastifyReply> {
  const { changes, now, baseUrl } = deps
  const isDone = await changes.transaction(async (tx, announce) => {
    const user = (await holdSignedInUser(tx, owner, now)) ? await userStore(tx).holdById(owner.user.id) : undefined
    if (user) await changePicture(tx, user, picture, { announce, at: now(), baseUrl, ip: clientAddress(request) })
    return user !== undefined
  })
  return isDone ? done(reply, owner, picture ? 'picture' : 'no_picture', deps) : askToSignIn(request, reply, deps)
}

function refusePicture(
  request: FastifyRequest,
  reply: FastifyReply,
  { user }: SignedInUser,
  pictureError: PictureRefusal,
  deps: OwnProfileDeps,
): FastifyReply {
  return answer(request, reply, user, { errors: {}, pictureError }, deps, { status: 400, problem: 'invalid' })
}

/** The file of the form; nothing where there is none, or the body can't be read. */
async function readUpload({ body, headers }: FastifyRequest): Promise<Buffer> {
  if (!Buffer.isBuffer(body)) return Buffer.alloc(0)
  try {
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': headers['content-type'] ?? '' } }).formData()
    const file = form.get('picture')
    return file instanceof File ? Buffer.from(await file.arrayBuffer()) : Buffer.alloc(0)
  } catch {
    return Buffer.alloc(0) // no form: as one without a file
  }
}

/** Back to the page, with a session cookie that already includes what was just saved. */
async function done(reply: FastifyReply, owner: SignedInUser, saved: Saved, deps: OwnProfileDeps): Promise<FastifyReply> {
  const session = await deps.sessions.find(owner.session.id)
  if (session)
    reply.header('set-cookie', deps.cookies.session(await mintSessionToken(session, { tokens: deps.tokens, issuer: deps.baseUrl })))
  return deps.responses.redirect(reply, ownHref(PROFILE, { saved }))
}

/** Kept by the browser alone, and for a day: a picture that its user removes is not shown for much longer. */
async function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  file: string,
  { storage, responses }: OwnProfileDeps,
): Promise<FastifyReply> {
  const [, name] = /^([0-9a-f]{32})\.png$/.exec(file) ?? []
  const content = name === undefined ? undefined : await pictureStore(storage.db).findByName(name)
  if (!content) return responses.refuse(request, reply, 404, 'Recurso nao encontrado')
  return reply
    .headers({
      'content-type': 'image/png',
      'cache-control': 'private, max-age=86400',
      'x-content-type-options': 'nosniff',
      'content-security-policy': CSP_PICTURE,
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
    })
    .send(content)
}

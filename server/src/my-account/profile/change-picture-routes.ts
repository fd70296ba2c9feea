import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress } from '../../http/index.ts'
import { askToSignIn, holdSignedInUser, type SignedInUser } from '../../sign-in/index.ts'
import { changePicture, type PictureRefusal, parsePicture, userStore } from '../../users/index.ts'
import { answerProfile, type OwnProfileDeps, profileSaved } from './profile-answer-routes.ts'

export async function savePicture(
  request: FastifyRequest,
  reply: FastifyReply,
  owner: SignedInUser,
  deps: OwnProfileDeps,
): Promise<FastifyReply> {
  const picture = parsePicture(await readUpload(request))
  if ('refusal' in picture) return refusePicture(request, reply, owner, picture.refusal, deps)
  return changeTo(request, reply, owner, picture, deps)
}

export function removePicture(
  request: FastifyRequest,
  reply: FastifyReply,
  owner: SignedInUser,
  deps: OwnProfileDeps,
): Promise<FastifyReply> {
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
  return isDone ? profileSaved(reply, owner, picture ? 'picture' : 'no_picture', deps) : askToSignIn(request, reply, deps)
}

function refusePicture(
  request: FastifyRequest,
  reply: FastifyReply,
  { user }: SignedInUser,
  pictureError: PictureRefusal,
  deps: OwnProfileDeps,
): FastifyReply {
  return answerProfile(request, reply, user, { errors: {}, pictureError }, deps, { status: 400, problem: 'invalid' })
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

import type { FastifyReply, FastifyRequest } from 'fastify'
import { pictureStore } from '../../users/index.ts'
import type { OwnProfileDeps } from './profile-answer-routes.ts'

/** As with the images of looks: one that is opened by itself can do nothing. */
const CSP_PICTURE = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** Kept by the browser alone, and for a day: a picture that its user removes is not shown for much longer. */
export async function sendPicture(
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

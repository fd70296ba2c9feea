import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Responses } from '../responses.ts'
import type { SecurityHeaders } from '../security-headers.ts'

/** The folder of the client's packages, made by `npm run build`. */
const FOLDER = fileURLToPath(new URL('../../../../client/dist.package/', import.meta.url))

/** The newest package, as the build left it. */
interface Latest {
  version: string
  file: string
  /** As lock files have it. */
  integrity: string
}

/**
 * `GET /client/portaria-client.tgz`, the client as a package to install; `GET /client/portaria-client.json`, its version, integrity and
 * lasting address; and that address, a file with its hash in the name. Nothing is built or packed here.
 */
export function clientPackageRoutes(
  scope: FastifyInstance,
  { responses, headers }: { responses: Responses; headers: SecurityHeaders },
): void {
  const schema = { hide: true }
  const send = async (reply: FastifyReply, file: string, cacheControl: string) =>
    reply
      .headers({ ...headers.json, 'content-type': 'application/gzip', 'cache-control': cacheControl })
      .send(await readFile(FOLDER + file))

  scope.get('/client/portaria-client.json', { schema }, async (request, reply) => {
    const latest = await readLatest()
    if (!latest) return responses.refuse(request, reply, 404, 'Recurso nao encontrado')
    const { version, integrity, file } = latest
    return responses.json(reply, 200, { version, integrity, path: `/client/${file}` })
  })
  scope.get('/client/portaria-client.tgz', { schema }, async (request, reply) => {
    const latest = await readLatest()
    if (!latest) return responses.refuse(request, reply, 404, 'Recurso nao encontrado')
    return send(reply.header('etag', `"${latest.integrity}"`), latest.file, 'no-cache')
  })
  scope.get<{ Params: { file: string } }>('/client/:file', { schema }, async (request, reply) => {
    // Looked up in the list of files; no path is ever made of it.
    const file = (await readdir(FOLDER).catch(() => [])).find((name) => name === request.params.file && name.endsWith('.tgz'))
    if (file === undefined) return responses.refuse(request, reply, 404, 'Recurso nao encontrado')
    return send(reply, file, 'public, max-age=31536000, immutable')
  })
}

/** `undefined` without a built package. */
async function readLatest(): Promise<Latest | undefined> {
  const text = await readFile(`${FOLDER}latest.json`, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : JSON.parse(text)
}

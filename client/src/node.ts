// @portaria/client/node: Portaria behind a plain `node:http` server.
import { handle, type NodeRequest, type NodeResponse, send } from './http/node-http.ts'
import type { Portaria } from './portaria.ts'

export { type NodeRequest, type NodeResponse, toRequest } from './http/node-http.ts'

const NEVER_KEPT = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

/**
 * Answers the client's own paths: `true` when it has. Reads no body but those that Portaria sends: sign-outs and events. It never
 * rejects: a fault, as one of `onSignedOut`, is answered 500 and given to `onFault` (default: `console.error`).
 *
 * ```ts
 * import { createServer } from 'node:http'
 * import { createPortaria } from '@portaria/client'
 * import { toNodeHandler, toRequest } from '@portaria/client/node'
 *
 * const portaria = createPortaria()
 * const answer = toNodeHandler(portaria)
 * createServer(async (req, res) => {
 *   if (await answer(req, res)) return
 *   const session = await portaria.session(toRequest(req, portaria))
 *   res.end(session.status === 'signed_in' ? `Hello, ${session.user.name}` : `Hello, whoever you are`)
 * }).listen(3000)
 * ```
 */
export function toNodeHandler(
  portaria: Portaria,
  { onFault = console.error }: { onFault?: ((fault: unknown) => unknown) | undefined } = {},
): (req: NodeRequest, res: NodeResponse) => Promise<boolean> {
  return async (req, res) => {
    try {
      const response = await handle(req, portaria)
      if (response) await send(response, res)
      return response !== undefined
    } catch (fault) {
      await send(Response.json({ error: 'not handled' }, { status: 500, headers: NEVER_KEPT }), res)
      // Nor does a fault of the listener end the process.
      void Promise.resolve(fault).then(onFault).catch(console.error)
      return true
    }
  }
}

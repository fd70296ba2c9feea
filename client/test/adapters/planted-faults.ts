import { setTimeout as wait } from 'node:timers/promises'
import type { Portaria } from '../../src/index.ts'

/** With a fault at `/broken`, one in the guard of whoever asks for it, and a slow answer at `/slow`. */
export function withFaults(portaria: Portaria): Portaria {
  return {
    ...portaria,
    async handle(request, ...body) {
      const { pathname } = new URL(request.url)
      if (pathname === '/broken') throw new Error('planted in handle')
      if (pathname !== '/slow') return portaria.handle(request, ...body)
      await wait(100)
      return new Response('late')
    },
    async requireUser(request) {
      if (request.url.endsWith('?broken')) throw new Error('planted in requireUser')
      return portaria.requireUser(request)
    },
  }
}

import type { FastifyRequest } from 'fastify'
import { bearerToken, originOf } from '../../../http/index.ts'
import type { AdminApiDeps } from '../admin-route.ts'
import { type Caller, findCaller, type Presented } from '../caller.ts'
import type { AdminScope } from '../permissions.ts'

export async function isSame(
  presented: Presented,
  scope: AdminScope | undefined,
  { caller, deps }: { caller: Caller; deps: AdminApiDeps },
): Promise<boolean> {
  const now = await findCaller(presented, scope, deps)
  return !('refusal' in now) && now.name === caller.name && now.role === caller.role
}

export function readPresented(request: FastifyRequest, { baseUrl }: Pick<AdminApiDeps, 'baseUrl'>): Presented {
  const { authorization, cookie } = request.headers
  const origin = originOf(request, baseUrl)
  return { authorization, cookie, bearer: bearerToken(request), origin, expectedUser: readExpectedUser(request) }
}

/** Of `Portaria-User`. Given twice it counts as unreadable. */
function readExpectedUser({ headers }: FastifyRequest): string | undefined {
  return headers['portaria-user']?.toString()
}

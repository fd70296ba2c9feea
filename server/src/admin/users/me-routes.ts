import { z } from 'zod'
import { readZone } from '../../reports/index.ts'
import { needsSecondFactor } from '../../users/index.ts'
import type { AdminDeps } from '../api/deps.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { ROLES } from '../api/permissions.ts'

const meSchema = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    role: z.enum(ROLES),
    has_second_factor: z.boolean().describe('whether the account has two-step verification or a passkey; false for a script'),
    time_zone: z.string().describe('the operator’s, in which days are counted and the console shows times'),
  })
  .meta({ id: 'Caller' })

/** `GET /api/admin/me`: the caller as the service knows them. */
export function meRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/me',
    operationId: 'showCaller',
    summary: 'Who asks, and in which role',
    description: 'A script has neither name nor address.',
    may: undefined,
    answer: {
      description: 'The caller',
      schema: meSchema,
      example: {
        id: '0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21',
        name: 'Ana Souza',
        email: 'ana@example.com',
        role: 'owner',
        has_second_factor: true,
        time_zone: 'America/Sao_Paulo',
      },
    },
    async work({ caller }) {
      const { role } = caller
      const zone = await readZone(deps.storage.db)
      if (caller.kind === 'script') {
        const id = caller.name.slice('token:'.length)
        return { body: { id, name: null, email: null, role, has_second_factor: false, time_zone: zone } }
      }
      const user = await deps.users.findById(caller.userId)
      const hasSecondFactor = user !== undefined && (await needsSecondFactor(deps.storage.db, user))
      const { name, email } = { name: user?.name ?? null, email: user?.email ?? null }
      return { body: { id: caller.userId, name, email, role, has_second_factor: hasSecondFactor, time_zone: zone } }
    },
  })
}

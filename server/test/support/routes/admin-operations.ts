import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  operationId: string
  /** As its description says. */
  scope: string | undefined
  isDangerous: boolean
  /** The names of what its query takes. */
  parameters: string[]
  /** The names of what its body takes. */
  fields: string[]
}

interface Described {
  operationId: string
  description: string
  responses: object
  parameters?: Array<{ name: string; in: string }>
  requestBody?: { content: Record<string, { schema?: { properties?: object } }> }
}

/** An id that nothing has. */
export const NOBODY = '0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21'

/** A well-formed body, for operations that require one: a fault of the body is reported before a recent authentication is asked for. */
export function leastBodyOf({ operationId, fields }: Pick<Operation, 'operationId' | 'fields'>): object {
  const product = { slug: 'menor', name: 'Menor', audience: 'internal', checkout: 'external' }
  const provider = { id: 'menor', name: 'Menor', issuer: 'https://id.example.com', client_id: 'menor', client_secret: 'menor' }
  const bodies: Readonly<Record<string, object>> = {
    addAdministrator: { role: 'viewer', email: 'ninguem@example.com' },
    changeAdministrator: { role: 'viewer' },
    createAdminToken: { name: 'menor', role: 'viewer' },
    createProduct: product,
    giveGatewayCredentials: { webhook_secret: 'menor', access_token: 'menor' },
    createPlan: { slug: 'menor', name: 'Menor', price: 1 },
    addIdentityProvider: provider,
    testIdentityProviderDraft: provider,
    addImage: { content: 'eA==' },
    createEventEndpoint: { url: 'https://menor.example.com/', types: ['access.granted'] },
    resolveNotification: { plan: 'menor' },
    setTimeZone: { time_zone: 'America/Sao_Paulo' },
    processNotifications: { action: 'ignore', ids: [NOBODY], reason: 'x' },
    startNotificationRun: { since: '2026-11-20T10:00:00Z' },
    moveSubscription: { to: NOBODY, reason: 'x' },
    grantSubscription: { user: NOBODY, plan_id: NOBODY, reason: 'x' },
  }
  return bodies[operationId] ?? (fields.includes('reason') ? { reason: 'x' } : {})
}

/**
 * Every operation of the admin API, as the API description has them: a new one is in these tests before anybody thinks of it. `id` stands
 * for what paths name.
 */
export function readOperations(id: string): Operation[] {
  const { paths } = JSON.parse(readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8'))
  return Object.entries<Record<string, Described>>(paths)
    .filter(([path]) => path.startsWith('/api/admin/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, description, responses, parameters = [], requestBody }]) => ({
        method: methodOf(method),
        path: path.slice('/api/admin'.length).replaceAll(/\{\w+\}/g, () => id),
        operationId,
        scope: /Scope `([\w:-]+)`\./.exec(description)?.[1],
        isDangerous: JSON.stringify(responses).includes('prova recente necessaria'),
        parameters: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
        fields: Object.keys(requestBody?.content['application/json']?.schema?.properties ?? {}),
      })),
    )
}

function methodOf(method: string): Operation['method'] {
  const upper = method.toUpperCase()
  return upper === 'GET' || upper === 'POST' || upper === 'PUT' || upper === 'PATCH' || upper === 'DELETE' ? upper : assert.fail(method)
}

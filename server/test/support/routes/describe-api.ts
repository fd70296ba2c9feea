import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifySchema, RouteOptions } from 'fastify'
import { z } from 'zod'
import { buildService } from '../../../src/app.ts'
import { EVENT_TYPES, type EventType } from '../../../src/app-events/index.ts'
import { readConfig } from '../../../src/config.ts'
import { openContext } from '../../../src/context.ts'
import { EVENT_CATALOGUE, eventBodySchema } from '../../../src/event-delivery/index.ts'
import { createLogger } from '../../../src/http/index.ts'
import type { AnswerSchema, MediaSchema, SecurityScheme } from '../../../src/http/schemas.ts'

type Json = Record<string, unknown>

const NOTHING_MOUNTED = '(empty tree)'

const info = {
  title: 'Portaria',
  version: versionOf(new URL('../../../package.json', import.meta.url)),
  description:
    'Sign in once, and every app of the family knows you. Errors are `{"error": string}`; addresses that browsers go to answer a page instead to whoever asks for `text/html`. ' +
    'Besides what is listed with each operation, every address may answer 400 `Requisicao invalida` (a request that can not be read; 431 when its headers are over 16 KiB), ' +
    '404 `Recurso nao encontrado` and 405 `Metodo nao permitido` with `Allow`. Every answer but that of /auth/check carries `X-Request-Id`, which finds it in the log. ' +
    'Changes are additive: answers may gain fields, so read the ones you know.',
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
}

const tags = [
  { name: 'sign-in', description: 'Pages that browsers go to, from the redirect of an app to the redirect back.' },
  { name: 'sign-up', description: 'How a user makes an account: a form, a mail, a code or a link.' },
  { name: 'recovery', description: 'Mailed links: a forgotten password, an invitation, “this wasn’t me”.' },
  { name: 'account', description: 'What a user changes on their own account.' },
  {
    name: 'openid',
    description: 'Apps that speak OpenID Connect, once a product is set to it; else 404. Discovery names these addresses.',
  },
  { name: 'handoff', description: 'How the server of an external app receives its session.' },
  { name: 'sessions', description: 'Checking a session, access tokens, the profile, the public keys.' },
  { name: 'plans', description: 'What can be bought.' },
  { name: 'purchases', description: "What the operator's own checkout reports." },
  { name: 'access', description: 'Who may use a product, and how it is paid for.' },
  { name: 'admin', description: 'What the operator does, from scripts with an admin token or from our own pages.' },
  {
    name: 'events',
    description:
      'What endpoints hear of, as Standard Webhooks: Portaria sends these to the address that is registered (docs/events.md). `data` may gain fields.',
  },
  { name: 'operation', description: 'For whoever runs the service.' },
]

const securitySchemes = {
  apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'sk_…', description: 'API key of a product, `sk_…`: for its servers only.' },
  accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Access token (`typ` at+jwt) from POST /auth/token.' },
  adminToken: { type: 'http', scheme: 'bearer', bearerFormat: 'adm_…', description: 'Admin token of the operator, `adm_…`.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'eg_session',
    description: 'The session: a JWT (`typ` eg-session+jwt), shared by the apps of the internal domain.',
  },
  bound: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-portaria',
    description: 'The bound cookie, for the host of the service alone (`portaria` where it runs on http).',
  },
  flow: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-portaria_flow',
    description: 'The browser that began a sign-in (`portaria_flow` where the service runs on http).',
  },
} satisfies Record<SecurityScheme, Json>

/** The whole description (OpenAPI 3.1), from the routes that the service mounts. */
export async function describeApi(): Promise<string> {
  const components: Json = {}
  const paths: Record<string, Json> = {}
  for (const { method, url, ...route } of await collectRoutes()) {
    const schema = (await route.config?.describe?.()) ?? route.schema
    if (schema?.hide) continue
    const path = url.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [String(method).toLowerCase()]: describeOperation(schema ?? {}, components) }
  }
  const webhooks = Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: describeEvent(type, components) }]))
  const sorted = Object.fromEntries(Object.entries(components).sort(([a], [b]) => a.localeCompare(b)))
  const description = {
    openapi: '3.1.1',
    info,
    servers: [{ url: '/' }],
    tags,
    paths,
    webhooks,
    components: { schemas: sorted, securitySchemes },
  }
  return `${JSON.stringify(description, undefined, 2)}\n`
}

/**
 * Every route, those left out of the description too, but for HEAD: mounts every floor over an empty database in memory and listens to what
 * it names; nothing is served.
 */
export async function collectRoutes(): Promise<RouteOptions[]> {
  const read = await readConfig({ DATABASE_URL: 'sqlite::memory:' })
  if ('faults' in read) throw new Error('the configuration of the description is refused')
  const onFault = (error: unknown) => {
    throw error
  }
  const context = await openContext({ ...read.config, masterKey: randomBytes(32) }, { onFault })
  if ('refusal' in context) throw new Error('a new database refuses nothing')
  const { app } = buildService(context, createLogger('silent'))
  if (app.printRoutes() !== NOTHING_MOUNTED) throw new Error('a route was mounted before anybody could listen')
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') routes.push(route)
  })
  await app.ready()
  await app.close()
  await context.close()
  return routes
}

function describeOperation(schema: FastifySchema, components: Json): Json {
  const { operationId, tags, summary, description, security, params, querystring, headers, body, response } = schema
  const toJson = (source: unknown) => jsonSchema(source as z.ZodType, components)
  return {
    operationId,
    tags,
    summary,
    ...(description !== undefined && { description }),
    ...(security !== undefined && { security }),
    ...((params ?? querystring ?? headers) !== undefined && {
      parameters: [
        ...(params === undefined ? [] : describeParameters('path', toJson(params))),
        ...(querystring === undefined ? [] : describeParameters('query', toJson(querystring))),
        ...(headers === undefined ? [] : describeParameters('header', toJson(headers))),
      ],
    }),
    ...(body !== undefined && {
      requestBody: {
        required: !security?.some((scheme) => Object.keys(scheme).length === 0),
        content: describeContent((body as AnswerSchema).content ?? {}, toJson),
      },
    }),
    responses: Object.fromEntries(
      Object.entries(response ?? {}).map(([status, answer]) => [status, describeAnswer(answer as AnswerSchema, toJson)]),
    ),
  }
}

const deliveryHeaders = z.object({
  'webhook-id': z.uuid().describe('the same each time that the event is delivered'),
  'webhook-timestamp': z.string().describe('of the attempt, in seconds'),
  'webhook-signature': z.string().describe('`v1,…` over `id.timestamp.body`; two while a secret is being rotated'),
})

/** An event, as a request that an endpoint receives. */
function describeEvent(type: EventType, components: Json): Json {
  const { when, example } = EVENT_CATALOGUE[type]
  const value = { type, timestamp: '2026-11-23T12:00:00.000Z', data: example }
  const media = { schema: jsonSchema(eventBodySchema(type), components), examples: { event: { value } } }
  return {
    operationId: `on${type.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: ['events'],
    summary: `${when[0]?.toUpperCase()}${when.slice(1)}`,
    security: [],
    parameters: describeParameters('header', jsonSchema(deliveryHeaders, components)),
    requestBody: { required: true, content: { 'application/json': media } },
    responses: {
      '2XX': { description: 'It has arrived' },
      '410': { description: 'The endpoint is gone: it is disabled at once' },
      default: { description: 'Anything else is a failure: the event is delivered again, for a day and more' },
    },
  }
}

/** One parameter for each property of a query's, an address's or the headers' object. */
function describeParameters(
  place: 'path' | 'query' | 'header',
  { properties = {}, required = [] }: { properties?: Record<string, Json>; required?: string[] },
): Json[] {
  return Object.entries(properties).map(([name, { description, examples, ...schema }]) => ({
    name,
    in: place,
    ...(required.includes(name) && { required: true }),
    ...(description !== undefined && { description }),
    schema,
    ...(Array.isArray(examples) && { example: examples[0] }),
  }))
}

function describeAnswer({ description, headers = {}, content }: AnswerSchema, toJson: (schema: unknown) => Json): Json {
  const described = Object.entries(headers).map(([name, means]) => [name, { description: means, schema: { type: 'string' } }])
  return {
    description,
    ...(described.length > 0 && { headers: Object.fromEntries(described) }),
    ...(content && { content: describeContent(content, toJson) }),
  }
}

function describeContent(content: Record<string, MediaSchema>, toJson: (schema: unknown) => Json): Json {
  return Object.fromEntries(
    Object.entries(content).map(([type, { schema, examples }]) => [type, { schema: toJson(schema), ...(examples && { examples }) }]),
  )
}

/** A zod schema as JSON Schema 2020-12. A schema with an id stands once, among the components. */
function jsonSchema(schema: z.ZodType, components: Json): Json {
  // As input: the schema of an output would close its objects, and answers may gain fields.
  const { $schema, $defs = {}, ...own } = z.toJSONSchema(schema, { io: 'input' })
  const moved = (part: unknown) => JSON.parse(JSON.stringify(part).replaceAll('"#/$defs/', '"#/components/schemas/'))
  const keep = (id: string, { id: _, ...part }: Json) => {
    components[id] = moved(part)
    return { $ref: `#/components/schemas/${id}` }
  }
  for (const [id, part] of Object.entries($defs)) keep(id, { ...part })
  return typeof own.id === 'string' ? keep(own.id, own) : moved(own)
}

function versionOf(packageFile: URL): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(packageFile, 'utf8'))).version
}

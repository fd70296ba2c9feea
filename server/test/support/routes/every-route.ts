import { collectRoutes, describeApi } from './describe-api.ts'
import type { Shot } from './flood.ts'

/** One address of the service and one of its methods, as the router has them. */
export interface Route {
  /** `POST /auth/provider/:id` */
  name: string
  method: string
  pattern: string
  fields: Field[]
  query: Field[]
}

interface Field {
  name: string
  schema: Schema
}

interface Schema {
  $ref?: string
  type?: string
  format?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
}

interface Operation {
  parameters?: Array<Field & { in: string }>
  requestBody?: { content: Record<string, { schema: Schema }> }
}

interface Description {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/**
 * Every route that the service mounts, with what its description says that it takes: a new one is in these tests before anybody thinks of
 * it.
 */
export async function everyRoute(): Promise<Route[]> {
  const { paths, components }: Description = JSON.parse(await describeApi())
  const resolve = (schema: Schema = {}): Schema => components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema
  const routes = (await collectRoutes()).flatMap(({ method, url, exposeHeadRoute }) => {
    const methods = [method].flat()
    return [...methods, ...(methods.includes('GET') && exposeHeadRoute !== false ? ['HEAD'] : [])].map((one) => ({ method: one, url }))
  })
  return routes.map(({ method, url }) => {
    const described = paths[url.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
    const bodies = Object.values(described?.requestBody?.content ?? {}).map(({ schema }) => resolve(schema))
    const fields = Object.entries(Object.assign({}, ...bodies.map(({ properties }) => properties)) as Record<string, Schema>)
    return {
      name: `${method} ${url}`,
      method,
      pattern: url,
      fields: fields.map(([name, schema]) => ({ name, schema: resolve(schema) })),
      query: (described?.parameters ?? []).filter((one) => one.in === 'query'),
    }
  })
}

/**
 * Values that a stranger may know of an installation, or hold without credentials, by the names of parameters and fields. Each has one
 * value at least.
 */
export type Known = Readonly<Record<string, readonly string[]>>

/** The callers: a browser that has begun a sign-in, an app with a key that nobody gave it, and so on. */
export interface Stranger {
  headers: Record<string, string>
  known: Known
}

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

/**
 * Requests at a route that are as right as a stranger can make them: each known value once, by form, as JSON, in the query, and without
 * anything. Fields that the description does not name are sent too: a route may take more than it says.
 */
export function plausibleShots({ method, pattern, fields, query }: Route, { known, headers }: Stranger): Shot[] {
  const paths = fillPath(pattern, known)
  const withOthers = (described: Field[]) => [
    ...described,
    ...namesOf(known).filter(({ name }) => !described.some((one) => one.name === name)),
  ]
  if (method === 'GET' || method === 'HEAD') {
    // Of two parameters a route may take the one or the other.
    const sets = [query, withOthers(query), ...query.map((one) => [one]), ...query.map((one) => query.filter((other) => other !== one))]
    const queries = sets.flatMap((set) => fill(set, known))
    return paths.flatMap((path) => [{ method, path }, ...queries.map((filled) => ({ method, path: withQuery(path, filled), headers }))])
  }
  const every = withOthers(fields)
  return paths.flatMap((path) => [
    { method, path },
    ...fill(every, known).map((body) => ({ method, path, headers: { ...headers, 'content-type': FORM }, body: asForm(body) })),
    ...fill(fields, known).map((body) => ({
      method,
      path,
      headers: { ...headers, 'content-type': JSON_TYPE },
      body: JSON.stringify(body),
    })),
  ])
}

/**
 * Texts that take the longest to read, by what reads them: judging of passwords, folding, parsing of domains, dates and numbers, and
 * patterns.
 */
const HEAVY = [
  'p@$$w0rd'.repeat(8),
  '\ufdfa'.repeat(5_000),
  `a@${'xn--mgba3a4f16a.'.repeat(60)}br`,
  '9'.repeat(20_000),
  ' '.repeat(20_000),
  'a-'.repeat(10_000),
]
const FEW = ['\ufdfa'.repeat(300), `https://${'a.'.repeat(2_000)}br`, '9'.repeat(5_000)]
const many = (length: number, of: (n: number) => string, join: string) => Array.from({ length }, (_, n) => of(n)).join(join)
const BODIES: ReadonlyArray<readonly [string, string]> = [
  [FORM, many(20_000, () => 'a=', '&')],
  [JSON_TYPE, '['.repeat(30_000) + ']'.repeat(30_000)],
  [JSON_TYPE, `{${many(7_000, (n) => `"${n}":1`, ',')}}`],
  [JSON_TYPE, `{"a":[${many(20_000, () => '{}', ',')}]}`],
  ['application/octet-stream', '\ufffd'.repeat(20_000)],
  [JSON_TYPE, 'x'.repeat(300_000)],
]

/** Requests with as much work as can be put into one: in every field in turn, in the whole body, in the query, or in the credentials. */
export function heavyShots({ method, pattern, fields, query }: Route, { known, headers }: Stranger): Shot[] {
  const [path = pattern] = fillPath(pattern, known)
  const places = pattern.includes(':')
    ? FEW.map((text) => ({ method, path: pattern.replaceAll(/:\w+/g, encodeURIComponent(text.slice(0, 190))) }))
    : []
  const credentials = [`Bearer ${'.'.repeat(12_000)}`, `Bearer ${'A'.repeat(12_000)}`].map((authorization) => ({
    method,
    path,
    headers: { ...headers, authorization },
  }))
  if (method === 'GET' || method === 'HEAD') {
    const inTurn = query.flatMap(({ name }) =>
      FEW.map((text) => ({ method, path: withQuery(path, { ...fill(query, known)[0], [name]: text }), headers })),
    )
    return [{ method, path, headers }, ...places, ...credentials, ...inTurn]
  }
  const [body = {}] = fill(fields, known)
  const taken = fields.length > 0 ? fields : namesOf(known)
  const inTurn = taken.flatMap(({ name }) =>
    HEAVY.flatMap((text) => [
      { method, path, headers: { ...headers, 'content-type': FORM }, body: asForm({ ...body, [name]: text }) },
      { method, path, headers: { ...headers, 'content-type': JSON_TYPE }, body: JSON.stringify({ ...body, [name]: text }) },
    ]),
  )
  const whole = BODIES.map(([type, text]) => ({ method, path, headers: { ...headers, 'content-type': type }, body: text }))
  return [...places, ...credentials, ...inTurn, ...whole]
}

function namesOf(known: Known): Field[] {
  return Object.keys(known).map((name) => ({ name, schema: {} }))
}

function fillPath(pattern: string, known: Known): string[] {
  const name = /:(\w+)|\*/.exec(pattern)
  if (!name) return [pattern]
  return (known[name[1] ?? ''] ?? ['x']).flatMap((value) => fillPath(pattern.replace(name[0], encodeURIComponent(value)), known))
}

/** All fields filled; as often as the one of most known values has them, so that each value is there once. */
function fill(fields: readonly Field[], known: Known): Array<Record<string, unknown>> {
  const most = Math.max(1, ...fields.map(({ name }) => known[name]?.length ?? 1))
  return Array.from({ length: most }, (_, n) =>
    Object.fromEntries(fields.map(({ name, schema }) => [name, known[name]?.[n % known[name].length] ?? valueLike(schema)])),
  )
}

function valueLike({ const: only, enum: values, anyOf, type, format, items, properties }: Schema): unknown {
  if (only !== undefined) return only
  if (values?.[0] !== undefined) return values[0]
  if (anyOf?.[0]) return valueLike(anyOf[0])
  if (type === 'object') return Object.fromEntries(Object.entries(properties ?? {}).map(([name, schema]) => [name, valueLike(schema)]))
  if (type === 'array') return items ? [valueLike(items)] : []
  if (type === 'integer' || type === 'number') return 1
  if (type === 'boolean') return true
  return (
    {
      email: 'quem@example.com',
      uri: 'https://app.example.com/',
      uuid: '0199c2b4-7d3a-7c1e-9f52-1b6f0a4c8e21',
      'date-time': '2026-11-20T12:00:00Z',
    }[format ?? ''] ?? 'x'
  )
}

function asForm(body: Readonly<Record<string, unknown>>): string {
  return new URLSearchParams(
    Object.entries(body).map(([name, value]): [string, string] => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  ).toString()
}

function withQuery(path: string, filled: Readonly<Record<string, unknown>>): string {
  const query = asForm(filled)
  return query === '' ? path : `${path}?${query}`
}

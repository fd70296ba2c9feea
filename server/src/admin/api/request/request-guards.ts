import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { jsonObject, queryOf } from '../../../http/index.ts'
import type { Refused } from '../refusals.ts'
import { holdsUnstorable } from './unstorable.ts'

type Read<T> = { value: T } | Refused

/** A parameter given twice is refused like an unknown one: choosing one of the two would be a guess. */
export function readQuery<Query extends z.ZodObject>(request: FastifyRequest, schema: Query): Read<z.output<Query>> {
  const given = [...queryOf(request)]
  const repeated = given.find(([name], at) => given.findIndex(([other]) => other === name) !== at)?.[0]
  if (repeated !== undefined) return { refusal: 'malformed', fields: { [repeated]: 'repeated' } }
  return parse(schema, Object.fromEntries(given))
}

export function readBody<Body extends z.ZodObject>(request: FastifyRequest, schema: Body): Read<z.output<Body>> {
  const isEmpty = request.body === undefined || request.body === '' || request.body === null
  const given = isEmpty ? {} : jsonObject(request)
  return given ? parse(schema, given) : { refusal: 'malformed' }
}

function parse<Schema extends z.ZodObject>(schema: Schema, given: Record<string, unknown>): Read<z.output<Schema>> {
  const unstorable = Object.entries(given).find(([, value]) => holdsUnstorable(value))
  if (unstorable) return { refusal: 'malformed', fields: { [unstorable[0]]: 'unstorable' } }
  const parsed = schema.safeParse(given)
  return parsed.success ? { value: parsed.data } : { refusal: 'malformed', fields: fieldsOf(parsed.error) }
}

/** One word for each field, its first error; the words are zod's, as `too_small`. */
function fieldsOf({ issues }: z.ZodError): Record<string, string> {
  const codes = issues.flatMap(
    (issue): Array<[string, string]> =>
      issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [key, 'unknown']) : [[issue.path.join('.'), issue.code]],
  )
  return Object.fromEntries(codes.reverse())
}

export function readVersion(request: FastifyRequest): string | undefined {
  return /^"([\w-]{1,64})"$/.exec(request.headers['if-match'] ?? '')?.[1]
}

export function readParams({ params }: FastifyRequest): Record<string, string> {
  return typeof params === 'object' && params !== null
    ? Object.fromEntries(Object.entries(params).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
    : {}
}

export function reasonIn(body: Record<string, unknown>): string | undefined {
  return typeof body.reason === 'string' ? body.reason : undefined
}

import { z } from 'zod'
import {
  type AnswerSchema,
  csvAnswer,
  errorBody,
  faults,
  jsonAnswer,
  jsonBodySchema,
  pageAnswer,
  refusal,
  tooLarge,
} from '../../http/index.ts'
import { type AnyRoute, nothing } from './admin-route.ts'
import { type AdminRefusal, refusals } from './refusals.ts'

const RETRY = { headers: { 'Retry-After': 'Seconds after which to try again' } }
const withFields = errorBody.extend({
  fields: z.record(z.string(), z.string()).optional(),
  reason: z.string().optional(),
})

/** An operation in the API description, with all its refusals. */
export function describeRoute({
  operationId,
  summary,
  description,
  may,
  authentication,
  query = nothing,
  body = nothing,
  version,
  answer,
  personal = [],
  refuses = [],
  path,
}: Omit<AnyRoute, 'method' | 'work'>) {
  const names: AdminRefusal[] = [
    'not_authenticated',
    'foreign_origin',
    'not_allowed',
    'second_factor_missing',
    'malformed',
    'too_many',
    ...refuses,
  ]
  if (authentication === 'recent') names.push('authentication_too_old')
  if (version === 'required') names.push('version_missing', 'changed_meanwhile')
  const asked = may === undefined ? 'Any role.' : `Scope \`${may}\`.`
  const masked = personal.length === 0 ? undefined : `From a viewer is hidden: ${personal.map((field) => `\`${field}\``).join(', ')}.`
  return {
    operationId,
    summary,
    description: [description, masked, asked].filter((text) => text !== undefined).join(' '),
    tags: ['admin'],
    security: [{ adminToken: [] }, { session: [], bound: [] }],
    ...(isAnything(query) && { querystring: query }),
    ...(path.includes(':') && {
      params: z.object(Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, z.string()]))),
    }),
    ...(version === 'required' && { headers: z.object({ 'if-match': z.string().describe('the ETag of the version that is changed') }) }),
    ...(isAnything(body) && { body: jsonBodySchema(body) }),
    response: {
      [answer.status ?? 200]: answerOf(answer),
      ...refusalResponses(names),
      ...(isAnything(body) && tooLarge),
      ...faults,
    },
  }
}

function answerOf(answer: AnyRoute['answer']): AnswerSchema {
  if ('schema' in answer) return jsonAnswer(answer.description, answer.schema, answer.example)
  return 'csv' in answer ? csvAnswer(answer.description, answer.csv) : pageAnswer(answer.description)
}

function isAnything({ shape }: z.ZodObject): boolean {
  return Object.keys(shape).length > 0
}

function refusalResponses(names: readonly AdminRefusal[]): Record<number, AnswerSchema> {
  const byStatus = new Map<number, Record<string, string>>()
  for (const name of names) {
    const { status, error, what } = refusals[name]
    byStatus.set(status, { ...byStatus.get(status), [error]: what })
  }
  return Object.fromEntries(
    [...byStatus].map(([status, messages]) => [status, refusal(messages, { schema: withFields, ...(status === 429 && RETRY) })]),
  )
}

import { z } from 'zod'

// The routes' parts of the API description (server/test/support/routes/describe-api.ts). Requests never run this.

declare module 'fastify' {
  interface FastifySchema {
    /** Authentication as in OpenAPI: one of the objects is enough, with all the schemes in it together. */
    operationId?: string
    security?: ReadonlyArray<Readonly<Partial<Record<SecurityScheme, readonly string[]>>>>
  }
  interface FastifyContextConfig {
    /** In place of a schema, and made only when the description is written: the service never asks for it. */
    describe?: () => Promise<FastifySchema>
  }
}

export type SecurityScheme = 'apiKey' | 'accessToken' | 'adminToken' | 'session' | 'bound' | 'flow'

export interface MediaSchema {
  schema: z.ZodType
  examples?: Record<string, { summary?: string; value: unknown }>
}

/** One answer of a route. `headers` are the important ones, each with its meaning. */
export interface AnswerSchema {
  description: string
  headers?: Record<string, string>
  content?: Record<string, MediaSchema>
}

const html = { 'text/html': { schema: z.string() } }

export const errorBody = z.object({ error: z.string() }).meta({ id: 'Error', description: 'Every refusal and fault has this form.' })

export function jsonAnswer(description: string, schema: z.ZodType, example?: unknown): AnswerSchema {
  const examples = example === undefined ? {} : { examples: { answer: { value: example } } }
  return { description, content: { 'application/json': { schema, ...examples } } }
}

/** A table to download. */
export function csvAnswer(description: string, example: string): AnswerSchema {
  return { description, content: { 'text/csv': { schema: z.string(), examples: { answer: { value: example } } } } }
}

export function pageAnswer(description: string, headers: Record<string, string> = {}): AnswerSchema {
  return { description, headers, content: html }
}

export function redirectAnswer(description: string, headers: Record<string, string> = {}): AnswerSchema {
  return { description, headers: { Location: 'Where to', ...headers } }
}

/** `{error}`: each possible message, with its condition. `also`: the status' other meaning, answered as a page to everyone. */
export function refusal(
  messages: Record<string, string>,
  { schema = errorBody, headers = {}, also }: { schema?: z.ZodType; headers?: Record<string, string>; also?: string } = {},
): AnswerSchema {
  const examples = Object.entries(messages).map(
    ([error, when]) => [error.replace(/\W+/g, '_'), { summary: when, value: { error } }] as const,
  )
  return {
    description: [...Object.values(messages), ...(also === undefined ? [] : [also])].join('; '),
    headers,
    content: { 'application/json': { schema, examples: Object.fromEntries(examples) } },
  }
}

/** The same answer as a page for clients that ask for `text/html`. */
export function orPage(answer: AnswerSchema): AnswerSchema {
  return { ...answer, content: { ...answer.content, ...html } }
}

const TRY_AGAIN = 'Seconds after which to try again'
const AWAY = { 'Servico indisponivel, tente novamente': 'the database is away: nothing was changed' }
const FAULT = { internal_error: 'a fault of the service; X-Request-Id finds it in the log' }
const TOO_LARGE = { 'Payload muito grande': 'the body is over 64 KiB' }

/** The answers of any route to faults on our side. */
export const faults = { 500: refusal(FAULT), 503: refusal(AWAY, { headers: { 'Retry-After': TRY_AGAIN } }) }
export const tooLarge = { 413: refusal(TOO_LARGE) }
/** The same for routes that browsers open. */
export const pageFaults = { 500: orPage(faults[500]), 503: orPage(faults[503]) }
export const pageTooLarge = { 413: orPage(tooLarge[413]) }

/** A route that takes a form, a JSON object, or either. */
export function formBodySchema(schema: z.ZodType) {
  return { content: { 'application/x-www-form-urlencoded': { schema } } }
}

export function jsonBodySchema(schema: z.ZodType) {
  return { content: { 'application/json': { schema } } }
}

export function formOrJsonBodySchema(schema: z.ZodType) {
  return { content: { ...formBodySchema(schema).content, ...jsonBodySchema(schema).content } }
}

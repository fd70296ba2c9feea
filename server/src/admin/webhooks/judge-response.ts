import type { GuardedFetch } from '../../guarded-fetch/index.ts'
import { explainNetworkFault } from '../../identity-providers/index.ts'

/**
 * The outcome of a call of the webhook. `from`: whether Portaria itself has answered; then `taken` says whether it accepted the
 * notification.
 */
export type WebhookAnswer =
  | { from: 'nobody' | 'someone_else'; code: AnswerFault; says: string }
  | { from: 'portaria'; taken: true; status: number; says: string }
  | { from: 'portaria'; taken: false; status: number; code: AnswerFault; says: string }

/** The sentences about a wrong answer, as codes for translation. */
export const ANSWER_FAULTS = [
  'no_answer',
  'sends_on',
  'not_portaria',
  'unknown_answer',
  'secrets_differ',
  'signature_lost',
  'secret_missing',
  'service_failed',
  'database_away',
  'form_unknown',
  'takes_no_purchases',
] as const
type AnswerFault = (typeof ANSWER_FAULTS)[number]

/** Posts a signed notification to the service at `url`, as its sender does, and describes the answer in plain sentences. */
export async function callWebhook(url: string, body: string, guardedFetch: GuardedFetch): Promise<WebhookAnswer> {
  try {
    const answer = await guardedFetch(`${url}/api/webhook/payment`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    return judge(answer, await answer.text(), url)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown fault'
    return { from: 'nobody', code: 'no_answer', says: `no answer from ${url}: ${explainNetworkFault(error, url)?.says ?? reason}` }
  }
}

const MAX_SHOWN = 200

function judge({ status, headers }: Response, text: string, url: string): WebhookAnswer {
  if (status >= 300 && status < 400) {
    return {
      from: 'someone_else',
      code: 'sends_on',
      says: `${url} sends senders on to ${headers.get('location')}, and senders do not follow: use that address`,
    }
  }
  const body = parseAnswer(text)
  if (!body) {
    const type = headers.get('content-type')?.split(';', 1)[0] ?? 'no content type'
    return {
      from: 'someone_else',
      code: 'not_portaria',
      says: `what answers at ${url} is not Portaria (${status}, ${type}): a proxy's own page, or another program. Does Portaria run behind it?`,
    }
  }
  if (status === 200 && body.received === true) return { from: 'portaria', taken: true, status, says: text.slice(0, MAX_SHOWN) }
  const explained = typeof body.error === 'string' ? explain(status, body.error) : undefined
  if (explained === undefined) {
    return {
      from: 'someone_else',
      code: 'unknown_answer',
      says: `${url} answers ${status} without the words of Portaria: is it another program, or an address with a path?`,
    }
  }
  const [code, meaning] = explained
  return { from: 'portaria', taken: false, status, code, says: `${text}: ${meaning}` }
}

/** The meaning of a refusal of Portaria for the tester; `undefined` for unknown words. */
function explain(status: number, error: string): readonly [AnswerFault, string] | undefined {
  const known: Readonly<Record<string, readonly [AnswerFault, string]>> = {
    '401 Assinatura invalida': [
      'secrets_differ',
      'the two secrets differ: PORTARIA_WEBHOOK_SECRET is another one in the running service than here',
    ],
    '401 Assinatura ausente': ['signature_lost', 'the signature was lost on the way: something in between changes the body'],
    '500 Configuracao incompleta do servidor': [
      'secret_missing',
      'the running service has no secret: set PORTARIA_WEBHOOK_SECRET where it is started, and restart it',
    ],
    '500 internal_error': ['service_failed', 'the running service failed: read its log'],
    '503 Servico indisponivel, tente novamente': [
      'database_away',
      "the running service can't use its database: read its log, then try again",
    ],
    '400 Payload invalido': [
      'form_unknown',
      'the running service does not know this form: is it of another version, or does something in between change the body?',
    ],
    '404 Recurso nao encontrado': ['takes_no_purchases', 'the running service takes no purchases: is it of an older version?'],
  }
  return known[`${status} ${error}`]
}

function parseAnswer(text: string): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : undefined
  } catch {
    return undefined // probably a page: the caller says that it is not from us
  }
}

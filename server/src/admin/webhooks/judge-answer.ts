import type { Outgoing } from '../../http/index.ts'
import { explainNetworkFault } from '../../identity-providers/index.ts'

/** How a call of the webhook went. `from`: whether Portaria itself has answered; then `taken` says whether it took the notification. */
export type WebhookAnswer =
  | { from: 'nobody' | 'someone_else'; says: string }
  | { from: 'portaria'; taken: boolean; status: number; says: string }

/** Posts a signed notification to the service at `url`, as its sender does, and says in plain sentences what came back. */
export async function callWebhook(url: string, body: string, outgoing: Outgoing): Promise<WebhookAnswer> {
  try {
    const answer = await outgoing(`${url}/api/webhook/payment`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return judge(answer, await answer.text(), url)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown fault'
    return { from: 'nobody', says: `no answer from ${url}: ${explainNetworkFault(error, url) ?? reason}` }
  }
}

const MOST_SHOWN = 200

function judge({ status, headers }: Response, text: string, url: string): WebhookAnswer {
  if (status >= 300 && status < 400) {
    return {
      from: 'someone_else',
      says: `${url} sends senders on to ${headers.get('location')}, and senders do not follow: use that address`,
    }
  }
  const body = parseAnswer(text)
  if (!body) {
    const type = headers.get('content-type')?.split(';', 1)[0] ?? 'no content type'
    return {
      from: 'someone_else',
      says: `what answers at ${url} is not Portaria (${status}, ${type}): a proxy's own page, or another program. Does Portaria run behind it?`,
    }
  }
  if (status === 200 && body.received === true) return { from: 'portaria', taken: true, status, says: text.slice(0, MOST_SHOWN) }
  const explained = typeof body.error === 'string' ? explain(status, body.error) : undefined
  if (explained === undefined) {
    return {
      from: 'someone_else',
      says: `${url} answers ${status} without the words of Portaria: is it another program, or an address with a path?`,
    }
  }
  return { from: 'portaria', taken: false, status, says: `${text}: ${explained}` }
}

/** What a refusal of Portaria means for whoever tests; `undefined` for words that are not its own. */
function explain(status: number, error: string): string | undefined {
  const known: Readonly<Record<string, string>> = {
    '401 Assinatura invalida': 'the two secrets differ: PORTARIA_WEBHOOK_SECRET is another one in the running service than here',
    '401 Assinatura ausente': 'the signature was lost on the way: something in between changes the body',
    '500 Configuracao incompleta do servidor':
      'the running service has no secret: set PORTARIA_WEBHOOK_SECRET where it is started, and restart it',
    '500 internal_error': 'the running service failed: read its log',
    '503 Servico indisponivel, tente novamente': "the running service can't use its database: read its log, then try again",
    '400 Payload invalido':
      'the running service does not know this form: is it of another version, or does something in between change the body?',
    '404 Recurso nao encontrado': 'the running service takes no purchases: is it of an older version?',
  }
  return known[`${status} ${error}`]
}

function parseAnswer(text: string): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : undefined
  } catch {
    return undefined // a page, most likely: the caller says that it is none of ours
  }
}

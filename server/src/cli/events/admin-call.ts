/** A running service, and an admin token for it. */
export interface Service {
  url: string
  token: string
}

/** The service's refusal, as a sentence. */
export class AdminRefusal extends Error {}

const TIMEOUT_MS = 30_000

/** Calls the admin API of a running service. Throws `AdminRefusal`, or what `fetch` throws. */
export async function callAdmin<Answer>(
  { url, token }: Service,
  path: string,
  { method = 'GET', body }: { method?: string; body?: unknown } = {},
): Promise<Answer> {
  const response = await fetch(new URL(`/api/admin/${path}`, url), {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const text = await response.text()
  if (!response.ok) throw new AdminRefusal(sentenceOf(response.status, text))
  return JSON.parse(text)
}

function sentenceOf(status: number, text: string): string {
  if (status === 401) return 'the service does not take PORTARIA_ADMIN_TOKEN: it is of another service, revoked or expired'
  if (status === 403)
    return 'PORTARIA_ADMIN_TOKEN may not do that: it needs the role owner, or the scopes endpoints:read and endpoints:write'
  return `the service answered ${status}: ${text.slice(0, 200)}`
}

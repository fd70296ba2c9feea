/**
 * The parameter that stands beside a `prompt=consent` of ours. The library keeps it with a pushed request: the authorization request that
 * names the pushed one knows whose prompt it is. A client that sends it by itself takes back its own prompt, and nothing else.
 */
export const CONSENT_IS_OURS = 'portaria_added_consent'

/**
 * A request for `offline_access` asks for consent (Core §11), else the library leaves the scope out. Most clients forget it. Our tokens end
 * with the user's session in any case, so they are given without a page of their own.
 */
export function addConsent(asked: URLSearchParams): void {
  const prompt = asked.get('prompt')
  const wantsOffline = asked.get('scope')?.split(' ').includes('offline_access') === true
  if (!wantsOffline || prompt?.split(' ').some((one) => one === 'consent' || one === 'none')) return
  asked.set('prompt', [prompt, 'consent'].filter((one) => one !== null && one !== '').join(' '))
  asked.set(CONSENT_IS_OURS, 'true')
}

/** Whether the client did not ask for the page itself. */
export function isConsentOurs(params: Record<string, unknown> | undefined): boolean {
  return params?.[CONSENT_IS_OURS] !== undefined
}

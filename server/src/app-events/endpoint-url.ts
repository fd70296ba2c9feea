const MAX_URL = 2_048

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|.+\.localhost)$/

/** Whether an address is of this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.test(hostname)
}

/**
 * An address in the form that it is called by; `undefined` for any that is not https. In development a loopback address may be http.
 * Where a name leads is looked at with each connection.
 */
export function parseEndpointUrl(text: string, { isDevelopment }: { isDevelopment: boolean }): string | undefined {
  if (text.length > MAX_URL || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const isHttpHere = isDevelopment && url.protocol === 'http:' && isLoopback(url)
  if (url.protocol !== 'https:' && !isHttpHere) return undefined
  return url.username === '' && url.password === '' && url.hash === '' ? url.href : undefined
}

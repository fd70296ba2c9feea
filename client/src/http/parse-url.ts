/** `URL.parse`, which Node 20 does not have: `null` for what is no address. */
export function parseUrl(text: string, base?: string): URL | null {
  return URL.canParse(text, base) ? new URL(text, base) : null
}

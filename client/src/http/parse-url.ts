/** `URL.parse`, which Node 20 lacks: `null` for an invalid address. */
export function parseUrl(text: string, base?: string): URL | null {
  return URL.canParse(text, base) ? new URL(text, base) : null
}
